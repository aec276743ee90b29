/** Where in a command a unit runs. */
export type ShellContext = "command_substitution" | "process_substitution" | "subshell";

/** Stands in {@link ShellWord.syntax} for a character that quoting took its meaning from. */
export const QUOTED = "\u0001";

/** Stands in {@link ShellWord.syntax} for a character of an expansion. */
export const EXPANDED = "\u0002";

/** A part of a word whose value the run time puts in. */
export interface Expansion {
  /** The variable that alone is the part; null for all other expansions. */
  readonly name: string | null;
  /** Whether its value can be nothing but a number. */
  readonly numeric: boolean;
  /** Whether its value stays one word. */
  readonly quoted: boolean;
  /** Where it stands in the word's text. */
  readonly at: number;
  readonly length: number;
}

/** One word as the shell reads it. */
export interface ShellWord {
  /** Quotes and escapes resolved, expansions as written. */
  readonly text: string;
  /** As long as `text`: what still has a meaning to the shell, and placeholders for the rest. */
  readonly syntax: string;
  /** False when it holds an expansion. */
  readonly literal: boolean;
  readonly expansions: readonly Expansion[];
  /** The same word to shells that do not know `$'…'`; null where all read it alike. */
  readonly elsewhere: ShellWord | null;
  readonly start: number;
  readonly end: number;
}

/** The words as shells read them that do not know `$'…'`. */
export function elsewhere(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.map((word) => word.elsewhere ?? word);
}

/** A redirect of a command. */
export interface ShellRedirect {
  readonly direction: "read" | "write" | null;
  /** Null for a descriptor that is copied or closed, and for text that is given. */
  readonly target: ShellWord | null;
  /** The text that a here-document or here-string gives; null for files. */
  readonly given: ShellWord | null;
  readonly end: number;
}

/** A value that a variable is given somewhere in a text. */
export interface Assignment {
  readonly name: string;
  /** Null when only the run time knows it. */
  readonly word: ShellWord | null;
  /** Whether it is the outcome of a calculation. */
  readonly numeric: boolean;
  /** The range in which it holds for sure; empty when it may not have happened. */
  readonly from: number;
  to: number;
}

/** A command that the reader found. */
export interface ShellCommand {
  readonly start: number;
  readonly end: number;
  readonly words: readonly ShellWord[];
  /** Names and values set for this command alone. */
  readonly prefix: readonly Assignment[];
  readonly redirects: readonly ShellRedirect[];
  readonly context: ShellContext | null;
  /** Whether another command's output is its input. */
  readonly piped: boolean;
}

/** What a text was found to be made of, in the order of reading. */
export interface Found {
  readonly source: string;
  readonly commands: ShellCommand[];
  readonly assignments: Assignment[];
  /** Redirects of groups and of nothing. */
  readonly redirects: ShellRedirect[];
  /** Words of loops and cases: no command of their own, but what variables and patterns are. */
  readonly words: ShellWord[];
  /** Variables whose values are calculated with: text in them could be run. */
  readonly calculated: Set<string>;
  /** Whether something is evaluated that may hold commands which the text does not show. */
  hazard: boolean;
  /** Whether anything but blanks, comments and assignments is there. */
  runs: boolean;
}

/** A here-document whose text begins behind the next line end. */
export interface PendingHeredoc {
  readonly tag: string;
  readonly quoted: boolean;
  readonly stripsTabs: boolean;
  readonly depth: number;
  readonly take: (word: ShellWord) => void;
}

/** The place a reading has come to, and what it found. */
export interface Reader {
  readonly source: string;
  readonly end: number;
  at: number;
  depth: number;
  context: ShellContext | null;
  readonly found: Found;
  readonly pending: PendingHeredoc[];
  /** Reads commands up to a closing bracket, a word or the end, which it does not take. */
  readonly list: (reader: Reader, closers: Closers) => void;
}

/** What ends a list of commands beside the end of the text. */
export interface Closers {
  readonly bracket?: boolean;
  readonly words?: readonly string[];
  readonly caseItem?: boolean;
}

const UNCLEAR = new Error("the text is not understood");

/** Deepest nesting that is followed. */
export const MAX_DEPTH = 150;

/** Most commands, and most assignments, of one text. */
const MAX_NOTED = 1000;

/** Ends the reading: nothing found so far counts. {@link isUnclear} tells it from a fault. */
export function unclear(): never {
  throw UNCLEAR;
}

/** Adds a command, or an assignment, to what was found; unclear when there are more than are judged. */
export function note<One>(list: One[], ...found: readonly One[]): void {
  if (list.length + found.length > MAX_NOTED) unclear();
  list.push(...found);
}

/** Says whether what was thrown is the end of a reading. */
export function isUnclear(thrown: unknown): boolean {
  return thrown === UNCLEAR;
}

/** The character at the place of reading; empty at the end. */
export function peek(reader: Reader, ahead = 0): string {
  const at = reader.at + ahead;
  return at < reader.end ? reader.source.charAt(at) : "";
}

/** Says whether a text stands at the place of reading. */
export function sees(reader: Reader, text: string): boolean {
  return reader.at + text.length <= reader.end && reader.source.startsWith(text, reader.at);
}

/** Takes a text; unclear when it is not there. */
export function expectText(reader: Reader, text: string): void {
  if (!sees(reader, text)) unclear();
  reader.at += text.length;
}

/** What a sticky expression matches at the place of reading, not beyond the end; null when nothing. */
export function match(reader: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.source);
  return found === null || reader.at + found[0].length > reader.end ? null : found;
}

/** Reads one level deeper. */
export function nested(reader: Reader, read: () => void): void {
  if (reader.depth >= MAX_DEPTH) unclear();
  reader.depth += 1;
  read();
  // A here-document must have its text where it was announced.
  if (reader.pending.some(({ depth }) => depth >= reader.depth)) unclear();
  reader.depth -= 1;
}

/** Reads commands of another context up to a closing bracket, and takes that. */
export function bracketed(reader: Reader, context: ShellContext): void {
  const outer = reader.context;
  reader.context = context;
  nested(reader, () => {
    reader.list(reader, { bracket: true });
    expectText(reader, ")");
  });
  reader.context = outer;
}
