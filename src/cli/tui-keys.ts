import type { GrantWidth } from "../ask/grant.ts";
import type { Answer } from "./lines.ts";

/** Where a dialog stands. */
export interface DialogState {
  readonly stage: "choose" | "confirm" | "reason";
  /** The approval that is to be confirmed. */
  readonly pending: Exclude<Answer, "deny">;
  /** How far grants over paths are to reach, as the question before they are given shows it. */
  readonly width: GrantWidth;
  /** Whether nothing is cut or left out of the view. */
  readonly full: boolean;
  /** First row of the view that is on the screen. */
  readonly top: number;
  /** Rows of this view that were on the screen so far, counted from the first. */
  readonly seen: number;
}

/** What a dialog can do with an ask. */
export interface DialogFacts {
  readonly hasGrants: boolean;
  /** Whether a grant could reach the other direction of its paths as well. */
  readonly hasWidth: boolean;
  readonly incomplete: boolean;
  /** Rows of the view that do not fit below the first one on the screen. */
  readonly lastTop: number;
  /** Rows of the view that the screen holds; 0 on a screen too small to approve anything on. */
  readonly page: number;
  /** Rows, from the first, that must have been on the screen before an approval counts. */
  readonly mustSee: number;
}

/** What a key did: the dialog goes on, or the person has answered. */
export type Pressed =
  | {
      readonly state: DialogState;
      /** True when the key would have approved and only showed more rows: held down, it must not go on to approve. */
      readonly heldBack?: true;
    }
  | { readonly answer: Answer; readonly width?: GrantWidth };

/** A dialog as it appears. */
export const FIRST_STATE: DialogState = {
  stage: "choose",
  pending: "allow",
  width: "proven",
  full: false,
  top: 0,
  seen: 0,
};

const MOVES: Readonly<Record<string, (facts: DialogFacts) => number>> = {
  up: () => -1,
  down: () => 1,
  pageup: ({ page }) => -page,
  pagedown: ({ page }) => page,
  space: ({ page }) => page,
  home: ({ lastTop }) => -lastTop,
  end: ({ lastTop }) => lastTop,
};

const APPROVALS: Readonly<Record<string, DialogState["pending"]>> = {
  y: "allow",
  c: "allow_for_session",
  s: "allow_for_serving_session",
};

const BACK: ReadonlySet<string> = new Set(["return", "enter", "n", "escape"]);

/** Whether a key only moves the view. */
export function isMove(key: string): boolean {
  return Object.hasOwn(MOVES, key);
}

/** Whether all that an approval needs to have been seen is or was on the screen. */
export function isSeen(state: DialogState, facts: DialogFacts): boolean {
  return facts.page > 0 && withSeen(state, facts).seen >= facts.mustSee;
}

/**
 * Reads a key. Enter denies, or goes back from a question that was asked in between; only a key that names an
 * approval approves, and one that leaves a grant behind or lacks evidence is asked for a second time. While rows
 * that must be seen were not on the screen, an approving key shows them instead. How far a grant reaches is
 * changed only where it is shown, and what it then allows must be seen anew.
 */
export function pressKey(before: DialogState, key: string, facts: DialogFacts): Pressed {
  const state = withSeen(before, facts);
  const move = MOVES[key];
  if (isMove(key) && move !== undefined) return { state: moved(state, move(facts), facts) };
  return state.stage === "confirm" ? confirmKey(state, key, facts) : chooseKey(state, key, facts);
}

function confirmKey(state: DialogState, key: string, facts: DialogFacts): Pressed {
  if (key === "y") {
    if (!isSeen(state, facts)) return showRest(state, facts);
    const isWide = state.pending !== "allow" && state.width === "family";
    return { answer: state.pending, ...(isWide ? { width: state.width } : {}) };
  }
  if (key === "w" && state.pending !== "allow" && facts.hasWidth) {
    const width = state.width === "proven" ? "family" : "proven";
    return { state: { ...state, width, top: 0, seen: 0 } };
  }
  return { state: BACK.has(key) ? { ...FIRST_STATE, full: state.full } : state };
}

function chooseKey(state: DialogState, key: string, facts: DialogFacts): Pressed {
  if (key === "return" || key === "enter" || key === "n") return { answer: "deny" };
  if (key === "r") return { state: { ...state, stage: "reason" } };
  if (key === "v") return { state: { ...FIRST_STATE, full: !state.full } };
  const pending = approvalOf(key, facts);
  if (pending === null) return { state };
  if (!isSeen(state, facts)) return showRest(state, facts);
  if (pending === "allow" && !facts.incomplete) return { answer: "allow" };
  return { state: { ...state, stage: "confirm", pending, width: "proven", top: 0, seen: 0 } };
}

function showRest(state: DialogState, facts: DialogFacts): Pressed {
  return { state: moved(state, facts.page, facts), heldBack: true };
}

function approvalOf(key: string, { hasGrants }: DialogFacts): DialogState["pending"] | null {
  const approval = Object.hasOwn(APPROVALS, key) ? APPROVALS[key] : undefined;
  if (approval === undefined) return null;
  return approval === "allow" || hasGrants ? approval : null;
}

function moved(state: DialogState, by: number, facts: DialogFacts): DialogState {
  const from = Math.min(state.top, facts.lastTop);
  const top = Math.min(Math.max(0, from + by), facts.lastTop);
  return withSeen({ ...state, top }, facts);
}

/** Rows count as seen in order only: what was jumped over was not read. */
function withSeen(state: DialogState, { lastTop, page }: DialogFacts): DialogState {
  const top = Math.min(state.top, lastTop);
  return top > state.seen ? state : { ...state, seen: Math.max(state.seen, top + page) };
}
