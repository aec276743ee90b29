import type { Answer } from "./lines.ts";

/** Where a dialog stands. */
export interface DialogState {
  readonly stage: "choose" | "confirm" | "reason";
  /** The approval that is to be confirmed. */
  readonly pending: Exclude<Answer, "deny">;
  /** Whether nothing is cut or left out of the view. */
  readonly full: boolean;
  /** First row of the view that is on the screen. */
  readonly top: number;
}

/** What a dialog can do with an ask. */
export interface DialogFacts {
  readonly hasGrants: boolean;
  readonly incomplete: boolean;
  /** Rows of the view that do not fit below the first one on the screen. */
  readonly lastTop: number;
  /** Rows of the view that the screen holds. */
  readonly page: number;
}

/** What a key did: the dialog goes on, or the person has answered. */
export type Pressed = { readonly state: DialogState } | { readonly answer: Answer };

/** A dialog as it appears. */
export const FIRST_STATE: DialogState = { stage: "choose", pending: "allow", full: false, top: 0 };

const MOVES: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  down: () => 1,
  pageup: (page) => -page,
  pagedown: (page) => page,
  space: (page) => page,
};

const APPROVALS: Readonly<Record<string, DialogState["pending"]>> = {
  y: "allow",
  c: "allow_for_session",
  s: "allow_for_serving_session",
};

/**
 * Reads a key. Enter denies, or goes back from a question that was asked in between; only a key that names an
 * approval approves, and one that leaves a grant behind or lacks evidence is asked for a second time.
 */
export function pressKey(state: DialogState, key: string, facts: DialogFacts): Pressed {
  const move = MOVES[key];
  if (move !== undefined) {
    const top = Math.min(Math.max(0, state.top + move(facts.page)), facts.lastTop);
    return { state: { ...state, top } };
  }
  return state.stage === "confirm" ? confirmKey(state, key, facts) : chooseKey(state, key, facts);
}

function confirmKey(state: DialogState, key: string, { lastTop, page }: DialogFacts): Pressed {
  if (key === "y") {
    // What is agreed to must have been on the screen, to its last row.
    if (state.top < lastTop)
      return { state: { ...state, top: Math.min(state.top + page, lastTop) } };
    return { answer: state.pending };
  }
  const back = key === "return" || key === "enter" || key === "n" || key === "escape";
  return { state: back ? { ...FIRST_STATE, full: state.full } : state };
}

function chooseKey(state: DialogState, key: string, facts: DialogFacts): Pressed {
  if (key === "return" || key === "enter" || key === "n") return { answer: "deny" };
  if (key === "r") return { state: { ...state, stage: "reason" } };
  if (key === "v") return { state: { ...state, full: !state.full, top: 0 } };
  const pending = APPROVALS[key];
  if (pending === undefined || (pending !== "allow" && !facts.hasGrants)) return { state };
  if (pending === "allow" && !facts.incomplete) return { answer: "allow" };
  return { state: { ...state, stage: "confirm", pending, top: 0 } };
}
