/**
 * Text as the file keeps it. Node 22 reads a text column only up to its first NUL, so NUL is written as
 * U+0001 and `0`, and U+0001 as itself and `1`: equal texts stay equal, different ones different.
 */
export function toStoredText(text: string): string {
  if (!text.includes("\u0000") && !text.includes("\u0001")) return text;
  return text.replaceAll("\u0001", "\u00011").replaceAll("\u0000", "\u00010");
}

/** The text that {@link toStoredText} was given. */
export function fromStoredText(stored: string): string {
  if (!stored.includes("\u0001")) return stored;
  return stored.replaceAll("\u00010", "\u0000").replaceAll("\u00011", "\u0001");
}
