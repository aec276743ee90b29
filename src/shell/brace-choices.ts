/** Most texts that one word may stand for before it counts as unknown. */
export const MAX_TEXTS = 64;

/** A text, and what in it has a meaning to the shell; both as long as each other. */
export interface Marked {
  readonly text: string;
  readonly syntax: string;
}

/** Puts one behind the other. */
export function joined(a: Marked, b: Marked): Marked {
  return { text: a.text + b.text, syntax: a.syntax + b.syntax };
}

const BRACES = /\{([^{}]*)\}/;

/** Puts in every choice that braces give; null where they are too many. */
export function expandAll(words: readonly Marked[]): readonly Marked[] | null {
  if (words.some(({ syntax }) => isUnclear(syntax))) return null;
  const done: Marked[] = [];
  const open = [...words];
  for (let word = open.shift(); word !== undefined; word = open.shift()) {
    const choices = choicesIn(word);
    if (choices === null) done.push(word);
    else open.push(...choices);
    if (open.length + done.length > MAX_TEXTS) return null;
  }
  return done;
}

/** Braces inside each other, or without their other half: where a choice ends is not looked for. */
function isUnclear(syntax: string): boolean {
  if (!/[{}]/.test(syntax) || !/,|\.\./.test(syntax)) return false;
  return /[{}]/.test(syntax.replaceAll("{}", "").replace(/\{[^{}]*(?:,|\.\.)[^{}]*\}/g, ""));
}

function choicesIn(word: Marked): readonly Marked[] | null {
  const found = BRACES.exec(word.syntax);
  const body = found?.[1] ?? "";
  if (found === null || !/,|\.\./.test(body)) return null;
  const open = found.index + 1;
  const cut = (from: number, to: number): Marked => ({
    text: word.text.slice(from, to),
    syntax: word.syntax.slice(from, to),
  });
  const before = cut(0, found.index);
  const after = cut(open + body.length + 1, word.text.length);
  return choices(body, open, cut).map((choice) => joined(joined(before, choice), after));
}

/** The numbers of a range, or more than are followed where it is none of two numbers. */
function numbers(range: string): readonly Marked[] {
  const [from = 0, to = 0] = /^-?\d{1,4}\.\.-?\d{1,4}$/.test(range)
    ? range.split("..").map(Number)
    : [0, MAX_TEXTS];
  const count = Math.min(Math.abs(to - from), MAX_TEXTS) + 1;
  return Array.from({ length: count }, (_, i) => {
    const text = String(from < to ? from + i : from - i);
    return { text, syntax: text };
  });
}

function choices(
  body: string,
  open: number,
  cut: (from: number, to: number) => Marked,
): readonly Marked[] {
  if (!body.includes(",")) return numbers(body);
  const found: Marked[] = [];
  let at = open;
  for (const part of body.split(",")) {
    found.push(cut(at, at + part.length));
    at += part.length + 1;
  }
  return found;
}
