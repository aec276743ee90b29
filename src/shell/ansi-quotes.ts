/** What a letter behind a backslash stands for in `$'…'`. */
export const ANSI_NAMED: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["E", "\u001b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["?", "?"],
]);

const CODE = /x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})/y;

/**
 * Resolves text in `$'…'` up to its closing quote, whose end is told. Null when it is not closed or holds
 * what shells resolve in different ways: control codes, an end of text, bytes that make no character, and a
 * quote, at which shells that do not know `$'…'` end the text.
 */
export function readAnsi(source: string, from: number): { text: string; end: number } | null {
  let text = "";
  for (let at = from; at < source.length; ) {
    const character = source.charAt(at);
    if (character === "'") return { text, end: at + 1 };
    const escape = character === "\\" ? readEscape(source, at + 1) : { text: character, length: 0 };
    if (escape === null || (character === "\\" && source.charAt(at + 1) === "'")) return null;
    text += escape.text;
    at += escape.length === 0 ? 1 : 1 + escape.length;
  }
  return null;
}

function readEscape(source: string, at: number): { text: string; length: number } | null {
  CODE.lastIndex = at;
  const code = CODE.exec(source);
  if (code === null) {
    const named = ANSI_NAMED.get(source.charAt(at));
    return named === undefined ? null : { text: named, length: 1 };
  }
  const [whole, hex, octal] = code;
  const isByte = hex !== undefined || octal !== undefined;
  const value =
    octal === undefined ? Number.parseInt(whole.slice(1), 16) : Number.parseInt(octal, 8);
  if (value === 0 || value > (isByte ? 0x7f : 0x10ffff)) return null;
  // Half a surrogate pair is no character.
  if (value >= 0xd800 && value <= 0xdfff) return null;
  return { text: String.fromCodePoint(value), length: whole.length };
}
