import type { Marked } from "./brace-choices.ts";

/** Characters of a pattern with a meaning of their own, which a backslash takes from them. */
const SPECIAL = /[*?[\]!^\\-]/;

/**
 * The pattern that a word is to a shell, which puts the names of files in its place; null when it is none. Quoted
 * characters with a meaning stand behind a backslash.
 */
export function globOf({ text, syntax }: Marked): string | null {
  if (!/[*?]|\[[^/]*\]/.test(syntax)) return null;
  let glob = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const isQuoted = syntax.charAt(at) !== character;
    glob += isQuoted && SPECIAL.test(character) ? `\\${character}` : character;
  }
  return glob;
}

/** The pattern that matches a text and nothing else. */
export function literalGlob(text: string): string {
  return text.replace(new RegExp(SPECIAL.source, "g"), "\\$&");
}
