import { readAnsi } from "./ansi-quotes.ts";
import { readBackticks, readDollar, type Value } from "./read-expansion.ts";
import {
  bracketed,
  EXPANDED,
  type Expansion,
  match,
  peek,
  QUOTED,
  type Reader,
  type ShellWord,
  unclear,
} from "./reader.ts";

/** Characters that mean nothing to the reader of words. */
const RUN = /[^ \t\r\n|&;()<>$`\\"']+/y;
const DOUBLE_RUN = /[^$`\\"]+/y;

/** What an interactive shell would replace by an earlier command. */
const HISTORY = /![\w!?#$-]/;

const UNKNOWN: Value = { name: null, numeric: false };

interface Draft {
  text: string;
  syntax: string;
  begun: boolean;
  readonly expansions: Expansion[];
  /** The same for shells that do not know `$'…'`; null as long as there is no difference. */
  elsewhere: Draft | null;
}

/**
 * Reads one word; null when none begins here. `regular` reads one behind `=~`, in which brackets and bars
 * are part of it.
 */
export function readWord(reader: Reader, regular = false): ShellWord | null {
  const start = reader.at;
  const draft: Draft = { text: "", syntax: "", begun: false, expansions: [], elsewhere: null };
  while (reader.at < reader.end && takePart(reader, draft, regular)) {
    // Each part moves the place on.
  }
  return draft.begun ? wordOf(draft, start, reader.at) : null;
}

function wordOf(draft: Draft, start: number, end: number): ShellWord {
  const { text, syntax, expansions } = draft;
  const literal = expansions.length === 0;
  const elsewhere = draft.elsewhere === null ? null : wordOf(draft.elsewhere, start, end);
  return { text, syntax, expansions, literal, elsewhere, start, end };
}

function takePart(reader: Reader, draft: Draft, regular: boolean): boolean {
  const character = peek(reader);
  switch (character) {
    case "\\":
      takeEscape(reader, draft);
      return true;
    case "'":
      takeSingle(reader, draft);
      return true;
    case '"':
      takeDouble(reader, draft);
      return true;
    case "$":
      takeDollar(reader, draft);
      return true;
    case "`":
      takeExpansion(reader, draft, false, () => readBackticks(reader));
      return true;
    case "<":
    case ">":
      return takeProcess(reader, draft);
    default:
      return takeRun(reader, draft, regular);
  }
}

function takeRun(reader: Reader, draft: Draft, regular: boolean): boolean {
  const run =
    match(reader, RUN)?.[0] ?? (regular && /[()|]/.test(peek(reader)) ? peek(reader) : "");
  if (run === "") return false;
  if (HISTORY.test(run)) reader.found.hazard = true;
  add(draft, run, run);
  reader.at += run.length;
  return true;
}

function add(draft: Draft, text: string, syntax: string): void {
  draft.begun = true;
  draft.text += text;
  draft.syntax += syntax;
  if (draft.elsewhere !== null) add(draft.elsewhere, text, syntax);
}

function takeEscape(reader: Reader, draft: Draft): void {
  const next = peek(reader, 1);
  if (next === "" || next === "\r") unclear();
  reader.at += 2;
  if (next !== "\n") add(draft, next, QUOTED);
}

function takeSingle(reader: Reader, draft: Draft): void {
  const close = reader.source.indexOf("'", reader.at + 1);
  if (close < 0 || close >= reader.end) unclear();
  const text = reader.source.slice(reader.at + 1, close);
  add(draft, text, QUOTED.repeat(text.length));
  reader.at = close + 1;
}

function takeDouble(reader: Reader, draft: Draft): void {
  reader.at += 1;
  add(draft, "", "");
  for (let character = peek(reader); character !== '"'; character = peek(reader)) {
    if (character === "") unclear();
    takeInDouble(reader, draft, character);
  }
  reader.at += 1;
}

function takeInDouble(reader: Reader, draft: Draft, character: string): void {
  if (character === "$") {
    takeExpansion(reader, draft, true, () => readDollar(reader, true));
  } else if (character === "`") takeExpansion(reader, draft, true, () => readBackticks(reader));
  else if (character === "\\") takeEscapeInDouble(reader, draft);
  else {
    DOUBLE_RUN.lastIndex = reader.at;
    // The text of a here-document ends in the middle of a run.
    const run = (DOUBLE_RUN.exec(reader.source)?.[0] ?? unclear()).slice(0, reader.end - reader.at);
    if (HISTORY.test(run)) reader.found.hazard = true;
    add(draft, run, QUOTED.repeat(run.length));
    reader.at += run.length;
  }
}

function takeEscapeInDouble(reader: Reader, draft: Draft): void {
  const next = peek(reader, 1);
  if (next === "") unclear();
  const text = /[$`"\\]/.test(next) ? next : next === "\n" ? "" : `\\${next}`;
  add(draft, text, QUOTED.repeat(text.length));
  reader.at += 2;
}

function takeDollar(reader: Reader, draft: Draft): void {
  if (peek(reader, 1) === "'") {
    const { text, end } = readAnsi(reader.source, reader.at + 2) ?? unclear();
    if (end > reader.end) unclear();
    addAnsi(draft, text, reader.source.slice(reader.at + 2, end - 1));
    reader.at = end;
  } else takeExpansion(reader, draft, false, () => readDollar(reader, false));
}

/** Adds what `$'…'` stands for; other shells take it for a dollar and quotes. */
function addAnsi(draft: Draft, text: string, written: string): void {
  const other = draft.elsewhere ?? { ...draft, expansions: [...draft.expansions] };
  draft.elsewhere = null;
  add(draft, text, QUOTED.repeat(text.length));
  add(other, `$${written}`, QUOTED.repeat(written.length + 1));
  draft.elsewhere = other;
}

function takeProcess(reader: Reader, draft: Draft): boolean {
  if (peek(reader, 1) !== "(") return false;
  takeExpansion(reader, draft, true, () => {
    reader.at += 2;
    bracketed(reader, "process_substitution");
    return UNKNOWN;
  });
  return true;
}

function takeExpansion(
  reader: Reader,
  draft: Draft,
  quoted: boolean,
  read: () => Value | null,
): void {
  const from = reader.at;
  const value = read();
  if (value === null) {
    add(draft, "$", quoted ? QUOTED : "$");
    reader.at += 1;
    return;
  }
  const text = reader.source.slice(from, reader.at);
  for (const one of draft.elsewhere === null ? [draft] : [draft, draft.elsewhere]) {
    one.expansions.push({ ...value, quoted, at: one.text.length, length: text.length });
  }
  add(draft, text, EXPANDED.repeat(text.length));
}

/** Reads the text of a here-document between two places, in which only expansions have a meaning. */
export function readInterpolated(reader: Reader, from: number, to: number): ShellWord {
  const inner: Reader = { ...reader, at: from, end: to, pending: [] };
  const draft: Draft = { text: "", syntax: "", begun: true, expansions: [], elsewhere: null };
  while (inner.at < to) {
    const character = peek(inner);
    if (character === '"') {
      add(draft, '"', QUOTED);
      inner.at += 1;
    } else if (character === "\\" && peek(inner, 1) === '"') {
      add(draft, '\\"', QUOTED.repeat(2));
      inner.at += 2;
    } else takeInDouble(inner, draft, character);
  }
  return wordOf(draft, from, to);
}
