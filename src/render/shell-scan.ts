/** A part of a text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The quote that is open at a place of a shell text; empty when none is. */
export type Quote = "" | "'" | '"';

/**
 * Tells which quote is open before an index. Asked with growing indices it reads the text once.
 */
export function quoteAt(text: string): (index: number) => Quote {
  let at = 0;
  let open: Quote = "";
  return (index) => {
    for (; at < index; at += 1) {
      const character = text.charAt(at);
      if (character === "\\" && open !== "'") at += 1;
      else if (open === "") open = character === "'" || character === '"' ? character : "";
      else if (character === open) open = "";
    }
    return open;
  };
}

/** Index of the next `quote` that is not escaped, or the text's end. */
export function unescapedEnd(text: string, from: number, quote: Quote): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\" && quote !== "'") at += 1;
    else if (character === quote) return at;
  }
  return text.length;
}

/** Index behind an assigned value: a word, or a list in parentheses. */
export function skipValue(text: string, from: number): number {
  return text.charAt(from) === "(" ? endOfParentheses(text, from + 1) : skipWord(text, from);
}

/** Index behind the shell word that begins at `from`: quotes, escapes and substitutions belong to it. */
export function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "\\") at += 2;
    else if (character === "'" || character === '"') at = unescapedEnd(text, at + 1, character) + 1;
    else if (character === "`") at = endOfBackticks(text, at + 1);
    else if (character === "$" && text.charAt(at + 1) === "(") at = endOfParentheses(text, at + 2);
    else if (/[ \t\n\r;&|<>()]/.test(character)) return at;
    else at += 1;
  }
  return text.length;
}

function endOfBackticks(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "`") return at + 1;
  }
  return text.length;
}

function endOfParentheses(text: string, from: number): number {
  let depth = 1;
  let at = from;
  while (at < text.length && depth > 0) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "'" || character === '"') at = unescapedEnd(text, at + 1, character);
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    at += 1;
  }
  return Math.min(at, text.length);
}
