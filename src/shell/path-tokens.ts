import { globOf, literalGlob } from "./globs.ts";
import { isItself, type KnownValues, knownValues } from "./known-values.ts";
import { namesNoPath, namesOnlyFiles, onlyReads } from "./path-commands.ts";
import { cutAtOperators } from "./pieces.ts";
import { readShell } from "./read-shell.ts";
import {
  type Found,
  QUOTED,
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
} from "./reader.ts";
import { strip } from "./readings.ts";
import { splitWords, type Word } from "./words.ts";
import { baseName, isAssignment, unwrap } from "./wrappers.ts";

/** A word of a command that names a file. */
export interface ShellPath {
  /** As it reaches the command, quotes resolved; empty where only what a pattern finds can be a file. */
  readonly text: string;
  /** Null when the command may read or write it. */
  readonly direction: "read" | "write" | null;
  /** The pattern by which the shell finds the files at run time; absent: it is what it is. */
  readonly glob?: string;
}

/** Most path tokens of one command that are told apart. */
export const MAX_PATHS = 1000;

/** Most folders that a command may have moved to. */
const MAX_FOLDERS = 8;

/** How deep the texts of wrappers are followed. */
const MAX_DEPTH = 8;

const HOME_WORD = /^(?:~|\$HOME|\$\{HOME\})(?:\/|$)/;

const MOVES = new Set(["cd", "pushd"]);

interface Tokens {
  readonly found: Map<string, ShellPath>;
  /** Where the commands so far may have gone to, from the folder they began in. */
  readonly folders: Token[];
}

/** A text that names a file, or files by a pattern. */
interface Token {
  readonly text: string;
  readonly glob?: string;
}

/** The words of a text that name files, each once, with what the commands do to them. */
export function pathsOf(command: string, found: Found | null): readonly ShellPath[] {
  const tokens: Tokens = { found: new Map(), folders: [{ text: "" }] };
  if (found === null) guess(command, tokens);
  else take(found, tokens, 0);
  return [...tokens.found.values()];
}

function take(found: Found, tokens: Tokens, depth: number): void {
  const known = knownValues(found);
  for (const word of found.words) {
    for (const choice of choices(word, known)) addLooking(tokens, choice);
  }
  for (const { word } of found.assignments) {
    // An expansion may name it where a value is not followed.
    if (word !== null) for (const { text } of choices(word, known)) addLooking(tokens, { text });
  }
  for (const redirect of found.redirects) addRedirect(tokens, redirect, known);
  for (const command of found.commands) takeCommand(command, { tokens, known, depth });
}

interface Taking {
  readonly tokens: Tokens;
  readonly known: KnownValues;
  readonly depth: number;
}

function takeCommand(command: ShellCommand, { tokens, known, depth }: Taking): void {
  const words: Word[] = [];
  for (const word of command.words) {
    if (isItself(word)) words.push(word);
    else for (const one of choices(word, known)) words.push({ ...one, literal: word.literal });
  }
  for (const redirect of command.redirects) addRedirect(tokens, redirect, known);
  for (const path of argumentsOf(words)) add(tokens, path, path.direction);
  move(words, tokens);
  takeWrapped(words, tokens, depth);
}

function takeWrapped(words: readonly Word[], tokens: Tokens, depth: number): void {
  if (depth >= MAX_DEPTH) return;
  const wrapper = unwrap(words);
  if (wrapper === null) return;
  for (const inner of wrapper.commands) {
    for (const path of argumentsOf(strip(inner))) add(tokens, path, path.direction);
    takeWrapped(strip(inner), tokens, depth + 1);
  }
  if (wrapper.text === null) return;
  const found = readShell(wrapper.text);
  if (found === null) guess(wrapper.text, tokens);
  else take(found, tokens, depth + 1);
}

function choices(word: ShellWord, known: KnownValues): readonly Token[] {
  const found = known.choicesOf(word) ?? [word];
  const isChosen = word.literal && word.syntax.includes("{");
  // Not every shell knows braces.
  const isSame = !isChosen || found.some(({ text }) => text === word.text);
  return (isSame ? found : [...found, word]).map((choice) => {
    const text = asPath(word, choice.text);
    const glob = globOf(choice);
    return glob === null ? { text } : { text, glob: asPath(word, glob) };
  });
}

/** A home's sign in quotes is a name like any other. */
function asPath({ syntax }: ShellWord, text: string): string {
  return syntax.startsWith(QUOTED) && (text.startsWith("~") || HOME_WORD.test(text))
    ? `./${text}`
    : text;
}

function addRedirect(tokens: Tokens, redirect: ShellRedirect, known: KnownValues): void {
  const { target, direction } = redirect;
  if (target === null || (target.text === "/dev/null" && target.elsewhere === null)) return;
  for (const choice of choices(target, known)) add(tokens, choice, direction);
}

function move([first, ...rest]: readonly Word[], tokens: Tokens): void {
  if (first === undefined || !MOVES.has(first.text)) return;
  const target = rest.find(({ text }) => !text.startsWith("-")) ?? { text: "~" };
  for (const folder of tokens.folders.slice()) {
    const moved = join(folder, target);
    const isKnown = tokens.folders.some(({ text }) => text === moved.text);
    if (tokens.folders.length < MAX_FOLDERS && !isKnown) tokens.folders.push(moved);
  }
}

function join(folder: Token, { text, glob }: Token): Token {
  const isOwn = folder.text === "" || /^[/~$]/.test(text === "" ? (glob ?? "") : text);
  if (isOwn) return glob === undefined ? { text } : { text, glob };
  const joined = { text: text === "" ? "" : `${folder.text.replace(/\/+$/, "")}/${text}` };
  if (folder.glob === undefined && glob === undefined) return joined;
  const before = (folder.glob ?? literalGlob(folder.text)).replace(/\/+$/, "");
  return { ...joined, glob: `${before}/${glob ?? literalGlob(text)}` };
}

function add(tokens: Tokens, token: Token, direction: ShellPath["direction"]): void {
  if (token.text === "" && token.glob === undefined) return;
  for (const folder of tokens.folders) {
    const path = join(folder, token);
    const key = `${direction ?? ""} ${path.glob ?? ""} ${path.text}`;
    if (tokens.found.size < MAX_PATHS) tokens.found.set(key, { ...path, direction });
  }
}

function addLooking(tokens: Tokens, token: Token): void {
  if (looksLikePath(token.text)) add(tokens, token, null);
  else if (token.glob !== undefined) add(tokens, { ...token, text: "" }, null);
}

/** The tokens of a text that was not understood: whatever may be one. */
function guess(command: string, tokens: Tokens): void {
  for (const piece of cutAtOperators(command)) {
    const words = splitWords(piece.text);
    const target = piece.redirected ? words[0] : undefined;
    if (target !== undefined) add(tokens, target, piece.writes ? "write" : "read");
    for (const text of command.includes("$") ? assigned(words) : []) add(tokens, { text }, null);
    for (const path of argumentsOf(strip(target === undefined ? words : words.slice(1)))) {
      add(tokens, path, path.direction);
    }
  }
}

/** The paths that variables are set to: an expansion may name them. */
function assigned(words: readonly Word[]): readonly string[] {
  return words
    .filter(({ text }) => isAssignment(text))
    .map(({ text }) => text.slice(text.indexOf("=") + 1))
    .filter(looksLikePath);
}

function argumentsOf(words: readonly Word[]): readonly ShellPath[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const name = baseName(first.text);
  const direction = onlyReads(name) ? "read" : null;
  const program: ShellPath[] = first.text.includes("/")
    ? [{ text: first.text, direction: "read" }]
    : [];
  const isFile = namesOnlyFiles(name) ? isOperand : () => false;
  const named = rest.flatMap((word): ShellPath[] => {
    const text = isFile(word) ? word.text : pathIn(word);
    if (text === word.text && word.glob !== undefined) return [{ ...tokenOf(word), direction }];
    const found: ShellPath[] = text === null ? [] : [{ text, direction }];
    // Whatever the command makes of it, the shell gives it the names of files.
    const isFound = word.glob !== undefined && !namesNoPath(name);
    return isFound ? [...found, { ...tokenOf(word), text: "", direction }] : found;
  });
  return [...program, ...named];
}

function tokenOf({ text, glob }: Word): Token {
  return glob === undefined ? { text } : { text, glob };
}

function isOperand({ text }: Word): boolean {
  return !/^(?:-.*|\d+|)$/.test(text);
}

/** The path a word holds: itself, or what an option or assignment gives after its sign. */
function pathIn({ text }: Word): string | null {
  const equals = text.indexOf("=");
  if (text.startsWith("-")) {
    if (equals >= 0) return looksLikePath(text.slice(equals + 1)) ? text.slice(equals + 1) : null;
    const attached = text.startsWith("--") ? "" : text.slice(2);
    return attached.includes("/") ? attached : null;
  }
  if (looksLikePath(text)) return equals > 0 ? afterSign(text, equals) : text;
  return null;
}

function afterSign(text: string, equals: number): string {
  return text.slice(0, equals).includes("/") ? text : text.slice(equals + 1);
}

function looksLikePath(text: string): boolean {
  if (!text.includes("/")) return text.includes(".") || HOME_WORD.test(text);
  return !/^[A-Za-z][\w+.-]*:\/\//.test(text) || text.startsWith("file://");
}
