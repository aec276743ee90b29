import { cutAtOperators } from "./pieces.ts";
import { strip } from "./readings.ts";
import { splitWords, type Word } from "./words.ts";
import { baseName } from "./wrappers.ts";

/** A word of a command that names a file. */
export interface ShellPath {
  /** As it reaches the command, quotes resolved. */
  readonly text: string;
  /** Null when the command may read or write it. */
  readonly direction: "read" | "write" | null;
}

/** Most path tokens of one command that are told apart. */
export const MAX_PATHS = 1000;

/** Commands that only ever read the files they are given. */
const READERS = new Set(
  [
    "cat",
    "head",
    "tail",
    "less",
    "more",
    "ls",
    "stat",
    "file",
    "wc",
    "grep",
    "egrep",
    "fgrep",
  ].concat(
    ["rg", "diff", "cmp", "od", "xxd", "hexdump", "strings", "md5sum", "sha1sum", "sha256sum"],
    ["du", "tree", "realpath", "readlink", "cd", "test", "cut", "nl", "jq"],
  ),
);

const HOME_WORD = /^(?:~|\$HOME|\$\{HOME\})(?:\/|$)/;

/** The words of a command that look like paths, each once, with what the command does to them. */
export function pathsOf(command: string): readonly ShellPath[] {
  const found = new Map<string, ShellPath>();
  for (const piece of cutAtOperators(command)) {
    const words = splitWords(piece.text);
    const target = piece.redirected ? words[0] : undefined;
    if (target !== undefined) add(found, target.text, piece.writes ? "write" : "read");
    for (const path of argumentsOf(strip(target === undefined ? words : words.slice(1)))) {
      add(found, path.text, path.direction);
    }
  }
  return [...found.values()];
}

function add(found: Map<string, ShellPath>, text: string, direction: ShellPath["direction"]): void {
  const key = `${direction ?? ""} ${text}`;
  if (found.size < MAX_PATHS && text !== "") found.set(key, { text, direction });
}

function argumentsOf(words: readonly Word[]): readonly ShellPath[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const direction = READERS.has(baseName(first.text)) ? "read" : null;
  const program: ShellPath[] = first.text.includes("/")
    ? [{ text: first.text, direction: "read" }]
    : [];
  const named = rest
    .map(pathIn)
    .flatMap((text): ShellPath[] => (text === null ? [] : [{ text, direction }]));
  return [...program, ...named];
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
  if (/^[A-Za-z][\w+.-]*:\/\//.test(text)) return text.startsWith("file://");
  return text.includes("/") || text.includes(".") || HOME_WORD.test(text);
}
