import { describe, expect, it } from "vitest";
import { type DialogFacts, FIRST_STATE, pressKey } from "../../../src/cli/tui-keys.ts";

const PLAIN: DialogFacts = { hasGrants: false, incomplete: false, lastTop: 0, page: 10 };

describe("the keys of a dialog", () => {
  it.each(["return", "enter", "n"])("deny on %s", (key) => {
    expect(pressKey(FIRST_STATE, key, PLAIN)).toEqual({ answer: "deny" });
  });

  it("allow once on y alone", () => {
    expect(pressKey(FIRST_STATE, "y", PLAIN)).toEqual({ answer: "allow" });
  });

  it.each(["a", "1", "space", "tab", "escape", "o"])("approve nothing on %s", (key) => {
    expect(pressKey(FIRST_STATE, key, PLAIN)).not.toHaveProperty("answer");
  });

  it.each(["c", "s"])("offer no grant on %s where none was suggested", (key) => {
    expect(pressKey(FIRST_STATE, key, PLAIN)).toEqual({ state: FIRST_STATE });
  });

  it.each([
    ["c", "allow_for_session"],
    ["s", "allow_for_serving_session"],
  ])("ask a second time before %s leaves a grant", (key, answer) => {
    const facts = { ...PLAIN, hasGrants: true };
    const first = pressKey(FIRST_STATE, key, facts);
    expect(first).toMatchObject({ state: { stage: "confirm", pending: answer } });
    const asked = { ...FIRST_STATE, stage: "confirm", pending: answer } as typeof FIRST_STATE;
    expect(pressKey(asked, "y", facts)).toEqual({ answer });
    expect(pressKey(asked, "return", facts)).toMatchObject({ state: { stage: "choose" } });
  });

  it("ask a second time before evidence that did not come along is passed over", () => {
    const facts = { ...PLAIN, incomplete: true };
    expect(pressKey(FIRST_STATE, "y", facts)).toMatchObject({ state: { stage: "confirm" } });
  });

  it("agree to nothing whose last row was not on the screen", () => {
    const facts = { hasGrants: true, incomplete: false, lastTop: 15, page: 10 };
    const asked = { ...FIRST_STATE, stage: "confirm", pending: "allow_for_session" } as const;
    expect(pressKey(asked, "y", facts)).toEqual({ state: { ...asked, top: 10 } });
    expect(pressKey({ ...asked, top: 15 }, "y", facts)).toEqual({ answer: "allow_for_session" });
  });
});
