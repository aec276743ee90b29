import type { KnownValues } from "./known-values.ts";
import type { ShellWord } from "./reader.ts";

const NAME = /^[A-Za-z_]\w*$/;
const OPTION = /^[-+][A-Za-z]+$/;
const ELEMENT = /^[A-Za-z_]\w*\[(?:\d+|[@*])\]$/;

/** Options of `read`, `mapfile` and `wait` that take the next word. */
const VALUED = /^-[A-Za-z]*[adinNptuOscCf]$/;

/**
 * Says whether a command of the shell itself evaluates its words once more, so that text in quotes may be run:
 * names with subscripts, calculations, prompts.
 */
export function evaluatesWords(words: readonly ShellWord[], known: KnownValues): boolean {
  const [first, ...rest] = words;
  const check = CHECKS.get(first?.text ?? "");
  return check !== undefined && check(rest, known);
}

type Check = (words: readonly ShellWord[], known: KnownValues) => boolean;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["let", (words) => !words.every(isPlainSum)],
  ...["declare", "typeset", "local", "export", "readonly"].map((name): [string, Check] => [
    name,
    (words) => !words.every(isPlainDeclaration),
  ]),
  ["unset", (words) => !words.every(isPlainName)],
  ["read", (words) => !namesOf(words).every(isPlainName)],
  ["mapfile", (words) => words.some(isCallback) || !namesOf(words).every(isPlainName)],
  ["readarray", (words) => words.some(isCallback) || !namesOf(words).every(isPlainName)],
  ["wait", (words) => words.some(({ text }) => text.startsWith("-") && text.includes("p"))],
  ["getopts", (words) => !words.slice(1, 2).every(isPlainName)],
  ["printf", isUnsurePrintf],
  ["test", isUnsureTest],
  ["[", isUnsureTest],
  ["set", (words) => words.some(changesReading)],
  [
    "shopt",
    (words) =>
      words.some(({ text }) => /^(?:expand_aliases|extdebug|dotglob|nocaseglob)$/.test(text)),
  ],
  // What it changes of patterns and words is not followed.
  ["setopt", () => true],
  ["unsetopt", () => true],
  ["emulate", () => true],
  ["hash", (words) => words.some(({ text }) => /^-[a-z]*p/.test(text))],
]);

function isPlainSum({ text, literal }: ShellWord): boolean {
  return literal && /^\w+[-+*/%]?=-?\d+$|^(?:\+\+|--)?\w+(?:\+\+|--)?$/.test(text);
}

function isPlainDeclaration({ text, syntax, literal }: ShellWord): boolean {
  if (OPTION.test(text)) return !/[ni]/.test(text);
  if (NAME.test(text)) return literal;
  // A value that is quoted together with its name is looked at again.
  const written = /^[A-Za-z_]\w*\+?=/.test(syntax);
  return written || (literal && /^[A-Za-z_]\w*=(?:[^($`]|$)/.test(text) && !/[$`]/.test(text));
}

function isPlainName({ text, literal }: ShellWord): boolean {
  return literal && (NAME.test(text) || OPTION.test(text) || ELEMENT.test(text) || text === "--");
}

function isCallback({ text }: ShellWord): boolean {
  return /^-[A-Za-z]*[Cc]/.test(text);
}

/** The words behind the options. */
function namesOf(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while (/^-./.test(words[at]?.text ?? "") && words[at]?.literal === true) {
    at += VALUED.test(words[at]?.text ?? "") ? 2 : 1;
  }
  // Options with a name as their value are among the valued ones.
  const arrays = words.filter((_, i) => /^-[A-Za-z]*a$/.test(words[i - 1]?.text ?? ""));
  return [...words.slice(at), ...arrays];
}

function isUnsurePrintf(words: readonly ShellWord[]): boolean {
  const [format, name] = words;
  if (format === undefined) return false;
  if (format.text.startsWith("-v")) return name === undefined || !isPlainName(name);
  if (format.literal) return false;
  return format.expansions.some(({ quoted }) => !quoted) || (name?.text.includes("[") ?? false);
}

function isUnsureTest(words: readonly ShellWord[], known: KnownValues): boolean {
  return words.some((word, i) => {
    const { text, literal, expansions } = word;
    const before = words[i - 1]?.text ?? "";
    if (before === "-v" || before === "-R") return !literal || !NAME.test(text);
    if (literal) return text.includes("[") && /[$`]/.test(text);
    // What is not quoted may become several words, operators among them.
    const splits = expansions.some(
      ({ quoted, numeric, name }) =>
        !quoted && !numeric && (name === null || !known.isNumber(name)),
    );
    return splits && known.textsOf(word) === null;
  });
}

/** Options of `set` after which words and lines are read in another way. */
function changesReading({ text, literal }: ShellWord, at: number): boolean {
  if (!literal) return at === 0;
  return /^[-+][A-Za-z]*[kH]/.test(text) || text === "keyword" || text === "histexpand";
}
