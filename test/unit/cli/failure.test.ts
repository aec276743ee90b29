import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../../src/cli/failure.ts";

describe("a failure told to a person", () => {
  it("is one line, in which nothing that it quotes acts on the screen", () => {
    const thrown = new Error("no record of \u202Ex\u001B[2J\u009B1A\nhere");
    expect(sentenceOf(thrown)).toBe("no record of \\u202ex\\x1b[2J\\x9b1A here");
  });

  it("says so when it was thrown without a word", () => {
    expect(sentenceOf(new Error(" \n "))).toBe("something failed without saying what");
  });
});
