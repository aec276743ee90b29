import { eastAsianWidth } from "get-east-asian-width";

const MARK = /^[\p{Mn}\p{Me}]$/u;
const PLAIN = /^[\x20-\x7e]*$/;
const BLANK = 0x20;
const LETTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Columns that one visible character takes on a terminal: 0 for marks that sit on another, 2 for wide ones,
 * else 1. A sequence that a terminal draws as one picture counts in full, so a row is never wider than said.
 */
export function columnsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  return MARK.test(character) ? 0 : eastAsianWidth(code);
}

/** What a person sees as single letters: flags, marked letters and syllables are whole. Joined they are the text. */
export function* lettersOf(text: string): Generator<string, void, undefined> {
  if (PLAIN.test(text)) yield* text;
  else for (const { segment } of LETTERS.segment(text)) yield segment;
}

/** Index at which the letter begins that the character at `index` belongs to. */
export function letterStart(text: string, index: number): number {
  return LETTERS.segment(text).containing(index)?.index ?? index;
}

/** The larger of the columns and the UTF-16 units of a visible text. */
export function extentOf(text: string): number {
  return PLAIN.test(text) ? text.length : Math.max(text.length, columnsIn(text));
}

function columnsIn(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

/**
 * Breaks one line of visible text into rows. A row takes at most `width` columns and at most `width` UTF-16
 * units, which must both be at least 2. Breaks stand after blanks where there are some; no letter is split
 * unless it is wider than a row all by itself, and no character ever. Joined together the rows are the line. An
 * empty line is one empty row.
 */
export function wrapLine(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  eachRow(line, width, (start, end) => rows.push(line.slice(start, end)));
  return rows;
}

/** How many rows {@link wrapLine} makes of a line. */
export function countRows(line: string, width: number): number {
  let rows = 0;
  eachRow(line, width, () => (rows += 1));
  return rows;
}

/** As many whole letters from the front of a visible text as fit `width`; a single one that does not fit is split. */
export function frontOf(text: string, width: number): string {
  return fitting([...lettersOf(text)], width, false);
}

/** The same from its end. */
export function endOf(text: string, width: number): string {
  return fitting([...lettersOf(text)].reverse(), width, true);
}

function fitting(pieces: readonly string[], width: number, isEnd: boolean): string {
  let taken = "";
  for (const piece of pieces) {
    const longer = isEnd ? piece + taken : taken + piece;
    if (extentOf(longer) > width) break;
    taken = longer;
  }
  const characters = Array.from(pieces[0] ?? "");
  if (taken !== "" || characters.length < 2) return taken;
  return fitting(isEnd ? characters.reverse() : characters, width, isEnd);
}

type Row = (start: number, end: number) => void;

function eachRow(line: string, width: number, row: Row): void {
  if (PLAIN.test(line)) plainRows(line, width, row);
  else letterRows(line, width, row);
}

/** In plain text every unit is a letter of one column. */
function plainRows(line: string, width: number, row: Row): void {
  let start = 0;
  while (line.length - start > width) {
    let end = start + width;
    for (let at = end; at > start; at -= 1) {
      if (line.charCodeAt(at - 1) !== BLANK) continue;
      end = at;
      break;
    }
    row(start, end);
    start = end;
  }
  row(start, line.length);
}

function letterRows(line: string, width: number, row: Row): void {
  const at = { start: 0, columns: 0, blank: 0, blankColumns: 0 };
  const place = (piece: string, index: number): void => {
    const columns = columnsIn(piece);
    const overflows = (): boolean =>
      at.columns + columns > width || index + piece.length - at.start > width;
    while (index > at.start && overflows()) {
      const isAtBlank = at.blank > at.start;
      const end = isAtBlank ? at.blank : index;
      row(at.start, end);
      at.columns = isAtBlank ? at.columns - at.blankColumns : 0;
      at.start = end;
    }
    at.columns += columns;
    if (piece !== " ") return;
    at.blank = index + 1;
    at.blankColumns = at.columns;
  };
  for (const { segment, index } of LETTERS.segment(line)) {
    if (extentOf(segment) <= width) {
      place(segment, index);
      continue;
    }
    let next = index;
    for (const character of segment) {
      place(character, next);
      next += character.length;
    }
  }
  row(at.start, line.length);
}
