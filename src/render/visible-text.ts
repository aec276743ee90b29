const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Shows what a screen would swallow or obey: control and format characters, line and paragraph separators,
 * default-ignorable code points and lone surrogates become printable ASCII such as `\x1b` or `\u202e`.
 * Everything else stays as it is. For display only: digests and records of identity cover the original.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, escapeOne);
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
 * Makes `text` visible and cuts it to `max` UTF-16 units of what is shown, with one `…` added. A character and
 * an escape are whole or absent. Line feeds stay when `lines` is true. A null `max` cuts nothing.
 */
export function visibleCut(text: string, max: number | null, lines = false): CutText {
  const show = lines ? visibleLines : visibleText;
  if (max === null) return { text: show(text), cut: false };
  if (text.length <= max) {
    const whole = show(text);
    if (whole.length <= max) return { text: whole, cut: false };
  }
  let kept = "";
  for (const character of text.slice(0, max + 1)) {
    const shown = show(character);
    if (kept.length + shown.length > max) break;
    kept += shown;
  }
  return { text: `${kept}…`, cut: true };
}

function visibleLines(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === "\n" ? character : escapeOne(character),
  );
}
