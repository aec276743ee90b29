import { INDIRECTION_WRAPPER, OPAQUE_WRAPPER } from "./floors.ts";
import type { Word } from "./words.ts";
import type { Wrapper } from "./wrapper.ts";

/** Recognises a command that is given others as text among its words; null when it is not. */
export type TextFinder = (words: readonly Word[]) => Wrapper | null;

const OPTION = /^-/;

function found(floor: string, texts: readonly Word[]): Wrapper {
  const isLiteral = texts.length > 0 && texts.every(({ literal }) => literal);
  const text = isLiteral ? texts.map((word) => word.text).join("\n") : null;
  return { floor, commands: [], text };
}

const hidden: TextFinder = () => found(OPAQUE_WRAPPER, []);

/** `trap 'text' SIGNAL`: the text is run later. */
function trapped(words: readonly Word[]): Wrapper | null {
  const own = words[0]?.text === "--" ? words.slice(1) : words;
  const [text] = own;
  if (text === undefined || own.length < 2 || /^(?:-[lp]?|)$/.test(text.text)) return null;
  return found(OPAQUE_WRAPPER, [text]);
}

/** `alias name='text'`: the text is run by its name. */
function aliased(words: readonly Word[]): Wrapper | null {
  const texts = words.flatMap(({ text, literal }) => {
    const sign = text.indexOf("=");
    return sign > 0 ? [{ text: text.slice(sign + 1), literal }] : [];
  });
  const hides = words.some(({ literal }) => !literal);
  return texts.length > 0 || hides ? found(OPAQUE_WRAPPER, hides ? [] : texts) : null;
}

/** The first word that is no option, and those that options with a text hold. */
function scripts(words: readonly Word[], valued: RegExp, texts: RegExp): readonly Word[] {
  const given = words.filter((_, i) => texts.test(words[i - 1]?.text ?? ""));
  if (given.length > 0) return given;
  const first = words.find(
    ({ text }, i) => !OPTION.test(text) && !valued.test(words[i - 1]?.text ?? ""),
  );
  return first === undefined ? [] : [first];
}

const AWK_RUNS = /\bsystem\s*\(|(?<!\|)\|(?!\|)|\bgetline\b|\bprintf?\b[^;}\n]*>|@load/;

function awk(words: readonly Word[]): Wrapper | null {
  if (words.some(({ text }) => /^(?:-f|--file)/.test(text))) return null;
  const programs = scripts(words, /^-[Fv]$/, /^(?:-e|--source)$/);
  const runs = programs.some(({ text, literal }) => !literal || AWK_RUNS.test(text));
  return runs ? found(OPAQUE_WRAPPER, []) : null;
}

/** A substitution or transliteration with its flags, and an address. */
const SED_PATTERN =
  /[sy]([^\w\s\\;{}])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1(\w*)|\/(?:[^/\\]|\\.)*\//gs;

/** `e` runs a command, `w` writes a file; both also as flags. */
function runsInSed(program: string): boolean {
  const rest = program.replace(SED_PATTERN, (_, _sign, flags: string | undefined) =>
    /[ew]/.test(flags ?? "") ? "\ne" : "1",
  );
  return /(?:^|[;{}\n\d$!,])\s*[eEwW](?:\s|$)/.test(rest);
}

function sed(words: readonly Word[]): Wrapper | null {
  const programs = scripts(words, /^-[lf]$/, /^(?:-[nErsuz]*e|--expression)$/);
  const attached = words.filter(({ text }) => text.startsWith("--expression="));
  const runs = [...programs, ...attached].some(
    ({ text, literal }) => !literal || runsInSed(text.replace(/^--expression=/, "")),
  );
  return runs ? found(OPAQUE_WRAPPER, []) : null;
}

const GIT_CODE =
  /^(?:alias\.|.*(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|helper|cmd|command|textconv|clean|smudge|process|program|proxy|browser|uploadpack|receivepack|tool)[^=]*=)/i;

function git(words: readonly Word[]): Wrapper | null {
  const settings = words.filter((_, i) => /^(?:-c|--config-env)$/.test(words[i - 1]?.text ?? ""));
  if (settings.some(({ text }) => GIT_CODE.test(text) && !/=(?:cat|less|true|:|)$/.test(text))) {
    return found(INDIRECTION_WRAPPER, []);
  }
  const at = words.findIndex(({ text }, i) => !OPTION.test(text) && words[i - 1]?.text !== "-c");
  const [action, ...rest] = words.slice(Math.max(at, 0));
  const runs = GIT_RUNS.get(action?.text ?? "");
  return runs === undefined ? null : runs(rest);
}

const GIT_RUNS: ReadonlyMap<string, TextFinder> = new Map<string, TextFinder>([
  ["rebase", (words) => optionText(words, /^(?:-x|--exec)$/, /^--exec=|^-x(?=.)/)],
  ["difftool", (words) => optionText(words, /^(?:-x|--extcmd)$/, /^--extcmd=|^-x(?=.)/)],
  ["submodule", (words) => behindWord(words, "foreach")],
  ["bisect", (words) => behindWord(words, "run")],
  ["filter-branch", hidden],
]);

function behindWord(words: readonly Word[], word: string): Wrapper | null {
  if (words[0]?.text !== word) return null;
  const rest = words.slice(1).filter(({ text }, i) => i > 0 || text !== "--recursive");
  const isLiteral = rest.length > 0 && rest.every(({ literal }) => literal);
  const text = isLiteral ? rest.map((one) => one.text).join(" ") : null;
  return { floor: INDIRECTION_WRAPPER, commands: [], text };
}

/** The text that an option gives as its next word or behind its sign. */
function optionText(words: readonly Word[], option: RegExp, attached: RegExp): Wrapper | null {
  const texts = words.flatMap((word, i) => {
    if (option.test(words[i - 1]?.text ?? "")) return [word];
    return attached.test(word.text) ? [{ ...word, text: word.text.replace(attached, "") }] : [];
  });
  const isThere = texts.length > 0 || words.some(({ text }) => option.test(text));
  return isThere ? found(INDIRECTION_WRAPPER, texts) : null;
}

function tar(words: readonly Word[]): Wrapper | null {
  return optionText(
    words,
    /^(?:-I|--to-command|--use-compress-program|--checkpoint-action|--rsh-command|--info-script)$/,
    /^--(?:to-command|use-compress-program|rsh-command|info-script)=|^--checkpoint-action=(?:exec=)?/,
  );
}

const vim: TextFinder = (words) =>
  words.some(({ text }) => /^(?:-c|-S|--cmd|\+.+)/.test(text)) ? found(OPAQUE_WRAPPER, []) : null;

/** Commands that are given others in a way of their own, by name. */
export const TEXT_FINDERS: ReadonlyMap<string, TextFinder> = new Map<string, TextFinder>([
  ["trap", trapped],
  ["alias", aliased],
  ["complete", hidden],
  ["compgen", hidden],
  ["bind", hidden],
  ["fc", hidden],
  ["enable", (words) => (words.some(({ text }) => /^-[a-z]*f/.test(text)) ? hidden(words) : null)],
  ...["awk", "gawk", "mawk", "nawk"].map((name): [string, TextFinder] => [name, awk]),
  ...["sed", "gsed"].map((name): [string, TextFinder] => [name, sed]),
  ["git", git],
  ["tar", tar],
  ["rsync", (words) => optionText(words, /^(?:-[a-zA-Z]*e|--rsh)$/, /^--rsh=/)],
  ["script", (words) => optionText(words, /^(?:-[a-z]*c|--command)$/, /^--command=/)],
  ...["vi", "vim", "nvim", "ex", "view"].map((name): [string, TextFinder] => [name, vim]),
]);
