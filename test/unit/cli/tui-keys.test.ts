import { describe, expect, it } from "vitest";
import {
  type DialogFacts,
  type DialogState,
  FIRST_STATE,
  pressKey,
} from "../../../src/cli/tui-keys.ts";

const PLAIN: DialogFacts = {
  hasGrants: false,
  hasWidth: false,
  incomplete: false,
  lastTop: 0,
  page: 10,
  mustSee: 8,
};

function stateAfter(state: DialogState, key: string, facts: DialogFacts): DialogState {
  const pressed = pressKey(state, key, facts);
  if ("answer" in pressed) throw new Error(`${key} answered ${pressed.answer}`);
  return pressed.state;
}

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
    expect(pressKey(FIRST_STATE, key, PLAIN)).toMatchObject({ state: { stage: "choose" } });
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
    const facts = { ...PLAIN, hasGrants: true, lastTop: 15, page: 10, mustSee: 25 };
    const asked = { ...FIRST_STATE, stage: "confirm", pending: "allow_for_session" } as const;
    const second = stateAfter(asked, "y", facts);
    expect(second).toMatchObject({ top: 10 });
    const third = stateAfter(second, "y", facts);
    expect(third).toMatchObject({ top: 15 });
    expect(pressKey(third, "y", facts)).toEqual({ answer: "allow_for_session" });
  });

  it.each(["y", "c", "s"])("let %s show the rest of the core before it approves", (key) => {
    const facts = { ...PLAIN, hasGrants: true, lastTop: 6, page: 4, mustSee: 8 };
    const second = stateAfter(FIRST_STATE, key, facts);
    expect(second).toMatchObject({ stage: "choose", top: 4 });
    expect(pressKey(second, key, facts)).not.toMatchObject({ state: { stage: "choose" } });
  });

  it.each(["y", "c", "s"])("hold %s back when it showed more instead of approving", (key) => {
    const facts = { ...PLAIN, hasGrants: true, lastTop: 6, page: 4, mustSee: 8 };
    expect(pressKey(FIRST_STATE, key, facts)).toMatchObject({ heldBack: true });
    const asked = { ...FIRST_STATE, stage: "confirm", pending: "allow_for_session" } as const;
    expect(pressKey(asked, "y", facts)).toMatchObject({ heldBack: true });
    expect(pressKey(FIRST_STATE, "space", facts)).not.toHaveProperty("heldBack");
  });

  it("let w widen a grant over paths, show it anew from its top, and narrow it again", () => {
    const facts = { ...PLAIN, hasGrants: true, hasWidth: true };
    const asked = { ...FIRST_STATE, stage: "confirm", pending: "allow_for_session" } as const;
    expect(pressKey(asked, "y", facts)).toEqual({ answer: "allow_for_session" });
    const wide = stateAfter({ ...asked, top: 3, seen: 8 }, "w", facts);
    expect(wide).toMatchObject({ stage: "confirm", width: "family", top: 0, seen: 0 });
    expect(pressKey(wide, "y", facts)).toEqual({ answer: "allow_for_session", width: "family" });
    expect(stateAfter(wide, "w", facts)).toMatchObject({ width: "proven" });
    expect(stateAfter(wide, "return", facts)).toMatchObject({ stage: "choose", width: "proven" });
  });

  it.each([
    ["no grant has directions", { stage: "confirm", pending: "allow_for_session" }, false],
    ["no grant is given", { stage: "confirm", pending: "allow" }, true],
    ["no grant is shown", { stage: "choose" }, true],
  ] as const)("mean nothing by w where %s", (_where, state, hasWidth) => {
    const at = { ...FIRST_STATE, ...state };
    const after = stateAfter(at, "w", { ...PLAIN, hasGrants: true, hasWidth });
    expect(after).toMatchObject({ ...state, width: "proven" });
  });

  it("count nothing as seen that was jumped over", () => {
    const facts = { ...PLAIN, lastTop: 90, page: 10, mustSee: 100 };
    const end = stateAfter(FIRST_STATE, "end", facts);
    expect(end).toMatchObject({ top: 90, seen: 10 });
    expect(pressKey(end, "y", facts)).not.toHaveProperty("answer");
  });

  it("approve nothing on a screen that shows nothing, and still deny there", () => {
    const facts = { ...PLAIN, page: 0, mustSee: 1 };
    expect(pressKey(FIRST_STATE, "y", facts)).toEqual({ state: FIRST_STATE, heldBack: true });
    expect(pressKey(FIRST_STATE, "return", facts)).toEqual({ answer: "deny" });
  });

  it.each([
    ["down", 1],
    ["pagedown", 10],
    ["space", 10],
    ["end", 40],
  ])("scroll by %s and stop at the ends", (key, top) => {
    const facts = { ...PLAIN, lastTop: 40 };
    expect(stateAfter(FIRST_STATE, key, facts)).toMatchObject({ top });
    expect(stateAfter({ ...FIRST_STATE, top: 40 }, key, facts)).toMatchObject({ top: 40 });
    for (const back of ["up", "pageup", "home"]) {
      expect(stateAfter(FIRST_STATE, back, facts)).toMatchObject({ top: 0 });
    }
  });

  it("change to the complete view and back on v, from its top", () => {
    const full = stateAfter({ ...FIRST_STATE, top: 3, seen: 13 }, "v", PLAIN);
    expect(full).toMatchObject({ full: true, top: 0, seen: 0 });
    expect(stateAfter(full, "v", PLAIN)).toMatchObject({ full: false });
  });

  it.each(["toString", "constructor", "__proto__"])("mean nothing by the name %s", (key) => {
    expect(pressKey(FIRST_STATE, key, PLAIN)).toMatchObject({ state: { stage: "choose" } });
  });
});
