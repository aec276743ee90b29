import { eastAsianWidth } from "get-east-asian-width";

const MARK = /^[\p{Mn}\p{Me}]$/u;
const JOINS = /^[\p{M}\p{Emoji_Modifier}]$/u;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Columns that one visible character takes on a terminal: 0 for marks that sit on another, 2 for wide ones,
 * else 1. A sequence that a terminal draws as one picture counts in full, so a row is never wider than said.
 */
export function columnsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  return MARK.test(character) ? 0 : eastAsianWidth(code);
}

/**
 * Breaks one line of visible text into rows. A row takes at most `width` columns and at most `width` UTF-16
 * units, which must both be at least 2. Breaks stand after blanks where there are some; no character is split,
 * and joined together the rows are the line. An empty line is one empty row.
 */
export function wrapLine(line: string, width: number): readonly string[] {
  if (PLAIN.test(line) && line.length <= width) return [line];
  const rows: string[] = [];
  let row: RowInProgress = { text: "", columns: 0, afterBlank: 0 };
  for (const character of line) {
    const columns = columnsOf(character);
    while (row.text !== "" && !fits(row, character, columns, width)) {
      const at = breakAt(row, character);
      rows.push(row.text.slice(0, at));
      row = startRow(row.text.slice(at));
    }
    row.text += character;
    row.columns += columns;
    if (character === " ") row.afterBlank = row.text.length;
  }
  rows.push(row.text);
  return rows;
}

/** The larger of the columns and the UTF-16 units of a visible text. */
export function extentOf(text: string): number {
  return Math.max(text.length, startRow(text).columns);
}

function fits(row: RowInProgress, next: string, columns: number, width: number): boolean {
  return row.columns + columns <= width && row.text.length + next.length <= width;
}

interface RowInProgress {
  text: string;
  columns: number;
  /** Units up to and with the last blank; 0 when there is none. */
  afterBlank: number;
}

function startRow(text: string): RowInProgress {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return { text, columns, afterBlank: 0 };
}

/** Where a full row ends: after its last blank, else before the character that `next` would have joined. */
function breakAt(row: RowInProgress, next: string): number {
  if (row.afterBlank > 0) return row.afterBlank;
  if (!JOINS.test(next)) return row.text.length;
  const characters = Array.from(row.text);
  let end = row.text.length;
  for (let i = characters.length - 1; i > 0; i -= 1) {
    const character = characters[i] ?? "";
    end -= character.length;
    if (!JOINS.test(character)) return end;
  }
  return row.text.length;
}
