/** One line of a stream of JSON lines, counted from 1, or why it could not be read. */
export type InputLine =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly fault: "line_too_long" | "not_utf8" };

/** What to do about each fault of {@link InputLine}. */
export const INPUT_FAULTS = {
  line_too_long: "the line is longer than this program reads; send less on one line",
  not_utf8: "the line is not UTF-8; encode it so",
} as const;

const LINE_FEED = 0x0a;

/**
 * Splits a stream of bytes into lines. Blank lines are skipped but counted; a last line without its end
 * counts; a line over `maxBytes` is reported once and dropped without being kept in memory.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<InputLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const piece = chunk.subarray(from, end);
      const line = toLine(number, [...parts, piece], { size: size + piece.length, maxBytes });
      if (line !== null) yield line;
      number += 1;
      parts = [];
      size = 0;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    size += rest.length;
    if (size > maxBytes) parts = [];
    else if (rest.length > 0) parts.push(rest);
  }
  const last = toLine(number, parts, { size, maxBytes });
  if (last !== null) yield last;
}

function toLine(
  line: number,
  parts: readonly Uint8Array[],
  bound: { size: number; maxBytes: number },
): InputLine | null {
  if (bound.size > bound.maxBytes) return { line, fault: "line_too_long" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    return { line, fault: "not_utf8" };
  }
  return text.trim() === "" ? null : { line, text };
}
