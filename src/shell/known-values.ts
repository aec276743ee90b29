import { expandAll, joined, MAX_TEXTS, type Marked } from "./brace-choices.ts";
import { outputOf } from "./known-output.ts";
import {
  type Assignment,
  type Expansion,
  type Found,
  QUOTED,
  type ShellCommand,
  type ShellWord,
} from "./reader.ts";

/** Variables of the system that hold a name, never a path. */
const NAMES = new Set(["USER", "LOGNAME", "HOSTNAME", "HOSTTYPE", "LANG", "TERM", "SHLVL"]);

/** Commands after which a variable may hold anything. */
const SETTING = new Set(
  ["read", "mapfile", "readarray", "getopts", "unset", "printf", "wait", "source", "."].concat([
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "let",
  ]),
);

/** Stands for a number that only the run time knows. */
const NUMBER = "\u0002";

/** The home of somebody, a folder that the shell remembers, the path of a program. */
const OTHER_HOME = /^(?:[A-Za-z_]\w*\+?=(?:.*:)?)?~[^/]|^=[\w./-]/s;

/** Words of nothing that any shell puts something else in for; to some a sign before a name is the path of a program. */
const ITSELF = /^(?!=)[\w@%+:,./=-]*$/;

/** Says whether a word stands for what is written and nothing else, to every shell. */
export function isItself({ syntax, literal, elsewhere }: ShellWord): boolean {
  return literal && elsewhere === null && ITSELF.test(syntax);
}

/** What is known about the values of a text's variables and substitutions. */
export interface KnownValues {
  /** Every text a word may stand for, braces included; null when only the run time knows. */
  readonly textsOf: (word: ShellWord) => readonly string[] | null;
  /** The same, each with what in it still has a meaning to the shell. */
  readonly choicesOf: (word: ShellWord) => readonly Marked[] | null;
  /** Whether the variable holds numbers and nothing else, wherever it is used. */
  readonly isNumber: (name: string) => boolean;
}

/** Looks up what a reading tells about values. */
export function knownValues(found: Found): KnownValues {
  let variables: Variables | null = null;
  // Most texts name none.
  const set = (): Variables => (variables ??= variablesOf(found));

  const isNumber = (name: string): boolean => {
    const { byName, blurred } = set();
    const given = byName.get(name) ?? [];
    return !blurred.has(name) && given.length > 0 && given.every(({ numeric }) => numeric);
  };

  function valuesOf(name: string, at: number): readonly string[] | null {
    const { byName, blurred } = set();
    const given = byName.get(name) ?? [];
    if (blurred.has(name) || blurred.has(ALL)) return null;
    if (given.length === 0) return unsetValue(name);
    if (given.length > MAX_TEXTS) return null;
    if (isNumber(name)) return [NUMBER];
    if (!given.some(({ from, to }) => from <= at && at < to)) return null;
    const texts = given.map(({ word }) => plainTexts(word));
    return texts.some((text) => text === null) ? null : texts.flatMap((text) => text ?? []);
  }

  function choicesOf(word: ShellWord): readonly Marked[] | null {
    if (isItself(word)) return [word];
    const texts = choicesHere(word);
    if (texts === null || word.elsewhere === null) return texts;
    const others = choicesHere(word.elsewhere);
    return others === null ? null : [...texts, ...others];
  }

  const textsOf = (word: ShellWord): readonly string[] | null =>
    choicesOf(word)?.map(({ text }) => text) ?? null;

  function choicesHere(word: ShellWord): readonly Marked[] | null {
    if (OTHER_HOME.test(word.syntax)) return null;
    let texts: readonly { text: string; syntax: string }[] = [{ text: "", syntax: "" }];
    let at = 0;
    for (const expansion of word.expansions) {
      const values = valuesAt(expansion, word, found, valuesOf);
      if (values === null || values.length * texts.length > MAX_TEXTS) return null;
      const before = slice(word, at, expansion.at);
      texts = texts.flatMap((text) =>
        values.map((value) => joined(joined(text, before), quotedText(value))),
      );
      at = expansion.at + expansion.length;
    }
    const rest = slice(word, at, word.text.length);
    return expandAll(texts.map((text) => joined(text, rest)));
  }

  return { textsOf, choicesOf, isNumber };
}

/** What a text sets. */
interface Variables {
  readonly byName: ReadonlyMap<string, readonly Assignment[]>;
  /** Names that may hold anything. */
  readonly blurred: ReadonlySet<string>;
}

function variablesOf(found: Found): Variables {
  const byName = new Map<string, Assignment[]>();
  for (const one of found.assignments) {
    const given = byName.get(one.name);
    if (given === undefined) byName.set(one.name, [one]);
    else given.push(one);
  }
  return { byName, blurred: blurredNames(found, byName) };
}

function slice({ text, syntax }: ShellWord, from: number, to: number): Marked {
  return { text: text.slice(from, to), syntax: syntax.slice(from, to) };
}

function quotedText(text: string): Marked {
  return { text, syntax: QUOTED.repeat(text.length) };
}

function unsetValue(name: string): readonly string[] | null {
  if (name === "HOME") return ["$HOME"];
  if (name === "PWD") return ["."];
  return NAMES.has(name) ? ["name"] : null;
}

/** Names that commands set, or all of them where splitting itself is changed. */
function blurredNames(found: Found, byName: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const names = new Set<string>(byName.has("IFS") ? [ALL] : []);
  for (const command of found.commands) for (const name of namesSetBy(command)) names.add(name);
  return names;
}

const ALL = "*";

function namesSetBy({ words }: ShellCommand): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined || !SETTING.has(first.text)) return [];
  if (first.text === "source" || first.text === ".") return [ALL];
  if (first.text === "printf" && rest[0]?.text !== "-v") return [];
  return rest.flatMap(({ text, syntax, literal }) => {
    if (/^[A-Za-z_]\w*$/.test(text)) return [text];
    return literal || /^[A-Za-z_]\w*=/.test(syntax) ? [] : [ALL];
  });
}

/** The texts of a value that stays one word, whatever is done with it. */
function plainTexts(word: ShellWord | null): readonly string[] | null {
  if (word === null || !word.literal || word.text.startsWith("-")) return null;
  if (/(?:^|:)~[^/]/.test(word.syntax)) return null;
  const choices = expandAll(word.elsewhere === null ? [word] : [word, word.elsewhere]);
  return choices?.map(({ text }) => text) ?? null;
}

function valuesAt(
  expansion: Expansion,
  word: ShellWord,
  found: Found,
  valuesOf: (name: string, at: number) => readonly string[] | null,
): readonly string[] | null {
  const before = word.text.slice(0, expansion.at);
  const { name, numeric } = expansion;
  const named = name === null ? null : valuesOf(name, word.start);
  const values = numeric ? [NUMBER] : name === null ? outputOf(expansion, word, found) : named;
  if (values === null || values.some((value) => value.startsWith("-"))) return null;
  if (values.includes(NUMBER)) return isBareNumber(expansion, word, before) ? ["0"] : null;
  if (values.some(isFolder) && !standsAlone(expansion, word, before)) return null;
  if (expansion.quoted) return values;
  return values.some((value) => /[\s*?[]/.test(value)) ? null : values;
}

/** A number that is no part of a name: a word or an option's value. */
function isBareNumber({ length }: Expansion, { text }: ShellWord, before: string): boolean {
  return before.length + length === text.length && /^(?:-[-\w]*=?|)$/.test(before);
}

/** Says whether an expansion begins a path and ends with one of its folders. */
function standsAlone({ length }: Expansion, { text }: ShellWord, before: string): boolean {
  const next = text.charAt(before.length + length);
  return /^(?:-[-\w]*=|-\w|\w+=|)$/.test(before) && (next === "" || next === "/");
}

/** Says whether a value means a folder where a word or a part of it begins, and nothing elsewhere. */
function isFolder(value: string): boolean {
  return value === "." || value === "$HOME";
}
