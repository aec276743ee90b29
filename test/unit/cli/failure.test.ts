import { describe, expect, it } from "vitest";
import { CommandError, complaintOf, sentenceOf } from "../../../src/cli/failure.ts";

describe("a failure told to a person", () => {
  it("is one line, in which nothing that it quotes acts on the screen", () => {
    const thrown = new Error("no record of \u202Ex\u001B[2J\u009B1A\nhere");
    expect(sentenceOf(thrown)).toBe("no record of \\u202ex\\x1b[2J\\x9b1A here");
  });

  it("has each point of it on a line of its own, in which nothing acts on the screen either", () => {
    const points = ["a.json:1: x\u001B[2J", "b.json:2:\ny"];
    expect(complaintOf(new CommandError("2 problems", { points }))).toBe(
      "askfabric: 2 problems\n  a.json:1: x\\x1b[2J\n  b.json:2: y\n",
    );
    expect(complaintOf(new Error("x"))).toBe("askfabric: x\n");
  });

  it("says so when it was thrown without a word", () => {
    expect(sentenceOf(new Error(" \n "))).toBe("something failed without saying what");
  });
});
