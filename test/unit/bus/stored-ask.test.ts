import { describe, expect, it } from "vitest";
import { openStoredAsk, takeUpStoredAsk } from "../../../src/bus/stored-ask.ts";
import { anAsk } from "../../support/asks.ts";
import { digestOf } from "../../support/line-harness.ts";

const ASK = anAsk();
const BODY = JSON.stringify({ v: 1, ...ASK });
const ROW = {
  parent: "parent-1",
  childToken: "child-1",
  ask: BODY.replace(ASK.nonce, ""),
  askDigest: digestOf(BODY),
};
const other = Buffer.alloc(32, 1).toString("base64url");

describe("a journalled ask", () => {
  it("can be listed without its secret", () => {
    const { nonce: _, ...rest } = ASK;
    expect(openStoredAsk(ROW)).toEqual(rest);
  });

  it("is taken up with the nonce it was sent with", () => {
    const ask = takeUpStoredAsk(ROW, ASK.nonce);
    expect(ask).toEqual(ASK);
    expect(Object.isFrozen(ask)).toBe(true);
  });

  it.each([
    ["another nonce", ROW, other],
    ["no nonce", ROW, ""],
    ["a nonce that closes its text", ROW, `${ASK.nonce.slice(0, 41)}",`],
    ["the digest of another ask", { ...ROW, askDigest: digestOf("other") }, ASK.nonce],
    ["another child", { ...ROW, childToken: "child-2" }, ASK.nonce],
    ["another text", { ...ROW, ask: ROW.ask.replace("push", "pull") }, ASK.nonce],
    ["a broken text", { ...ROW, ask: "{" }, ASK.nonce],
  ])("is not taken up with %s", (_what, row, nonce) => {
    expect(takeUpStoredAsk(row, nonce)).toBeNull();
  });
});
