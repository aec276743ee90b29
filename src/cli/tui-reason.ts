import { MAX_REASON_CHARACTERS } from "../ask/control.ts";
import { endOf, extentOf, letterStart } from "../render/columns.ts";
import { visibleText } from "../render/visible-text.ts";

/** A key as a terminal reports it. */
export interface TypedKey {
  /** Absent for characters that have no name of their own. */
  readonly name?: string | undefined;
  /** What the key sent. */
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

const CONTROL = /[\p{Cc}\p{Cs}]/u;
const BLANKS: ReadonlySet<string> = new Set(["return", "enter", "tab"]);
const EDITS: Readonly<Record<string, (reason: string) => string>> = {
  u: () => "",
  w: (reason) => reason.replace(/\S*\s*$/u, ""),
};

/** The reason after one more key. A line end that was pasted is a blank; what has no meaning here changes nothing. */
export function typeReason(reason: string, key: TypedKey): string {
  const { name = "", sequence = "" } = key;
  if (name === "backspace") return withoutLast(reason);
  if (key.ctrl === true) return EDITS[name]?.(reason) ?? reason;
  if (key.meta === true) return reason;
  const typed = BLANKS.has(name) ? " " : sequence;
  if (CONTROL.test(typed) || reason.length + typed.length > MAX_REASON_CHARACTERS) return reason;
  return reason + typed;
}

/** Takes away what a person sees as the last letter. */
function withoutLast(reason: string): string {
  return reason === "" ? "" : reason.slice(0, letterStart(reason, reason.length - 1));
}

/** The end of a reason that fits `width`, visible, behind a `…` when it is not all of it. */
export function reasonTail(reason: string, width: number): string {
  const text = visibleText(reason);
  return extentOf(text) <= width ? text : `…${endOf(text, width - 1)}`;
}
