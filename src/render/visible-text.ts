import { letterStart } from "./columns.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts hold nothing to show in another way, and this tells so in a fraction of the time. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Shows what a screen would swallow or obey: control and format characters, line and paragraph separators,
 * default-ignorable code points and lone surrogates become printable ASCII such as `\x1b` or `\u202e`.
 * Everything else stays as it is. For display only: digests and records of identity cover the original.
 */
export function visibleText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, escapeOne);
}

/**
 * JSON text that says the same with nothing in it that a screen would swallow or obey: JSON itself escapes a few of
 * those signs only. Line feeds, which stand between values and never in one, stay.
 */
export function visibleJson(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  return json.replace(INVISIBLE, (character) =>
    character === "\n" ? character : character.split("").map(escapeUnit).join(""),
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function escapeOne(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\u{${code.toString(16)}}`;
}

/** A text as it is shown and whether something of it was left out. */
export interface CutText {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * Makes `text` visible and cuts it to `max` UTF-16 units of what is shown, with one `…` added. A letter as a person
 * sees it and an escape are whole or absent, unless the first letter alone is longer than `max`: of that one the
 * characters are. Line feeds stay when `lines` is true. A null `max` cuts nothing.
 */
export function visibleCut(text: string, max: number | null, lines = false): CutText {
  const show = lines ? visibleLines : visibleText;
  if (max === null) return { text: show(text), cut: false };
  if (text.length <= max) {
    const whole = show(text);
    if (whole.length <= max) return { text: whole, cut: false };
  }
  let shown = "";
  const ends: number[] = [];
  for (const character of startOf(text, max)) {
    ends.push(shown.length);
    shown += show(character);
    if (shown.length > max) break;
  }
  return { text: `${shown.slice(0, wholeEnd(shown, ends))}…`, cut: true };
}

/** The last of the ends at which no letter is split; of a single letter the last one of all. */
function wholeEnd(shown: string, ends: readonly number[]): number {
  const last = ends.at(-1) ?? 0;
  let start = letterStart(shown, last);
  if (start === 0) return last;
  let end = last;
  while (end > start) {
    // A mark behind an escape is one letter with the last sign of it: then the escape goes as well.
    const before = start;
    end = ends.findLast((one) => one <= before) ?? 0;
    start = letterStart(shown, end);
  }
  return end;
}

/** What has at least one character more than `max` units, and no half of one at its end. */
function startOf(text: string, max: number): string {
  const start = text.slice(0, max + 2);
  return start.length < text.length && /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

function visibleLines(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return text.replace(INVISIBLE, (character) =>
    character === "\n" ? character : escapeOne(character),
  );
}
