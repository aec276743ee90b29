/** Programs that run the command in their arguments. */
const WRAPPERS: ReadonlySet<string> = new Set(
  (
    "sudo doas env command builtin exec nohup time timeout nice ionice xargs parallel setsid stdbuf watch flock " +
    "busybox chroot ssh find fd"
  ).split(" "),
);

/** Programs that run a text they are given. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh fish eval su source .".split(" "),
);

/** What stands before the command that `find` runs. */
const FIND_RUNS = /^-(?:exec|ok)(?:dir)?$/;

/** Nested texts that are looked into. */
const MOST_NESTED = 4;

/** A command as far as a look at its text tells it: base name of the program, then its arguments. */
export interface FoundCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it reads what the command before it in the list writes. */
  readonly piped: boolean;
  /** Whether what it writes is a file that the command before it is given. */
  readonly given: boolean;
}

/** Stands for the program where a redirection names a file to write. */
export const REDIRECTION = ">";

/** Stands for the program where a redirection names a file to read. */
const INPUT = "<";

/** Thrown when a text would take too long to look through. */
export class TooMuchError extends Error {
  override readonly name = "TooMuchError";
}

/** What one look may still cost, in characters and words. */
export interface Effort {
  left: number;
}

/**
 * The simple commands in a text, those inside wrappers and in texts given to a shell among them. This is a look,
 * not an analysis: it finds what is plainly there.
 *
 * @throws {@link TooMuchError} when it takes more than `effort`.
 */
export function commandsIn(text: string, effort: Effort, depth = 0): readonly FoundCommand[] {
  spend(effort, text.length);
  return splitCommands(text).flatMap((command) => commandsOf(command, effort, depth));
}

function spend(effort: Effort, cost: number): void {
  effort.left -= cost;
  if (effort.left < 0) throw new TooMuchError("there is too much of it to look through");
}

function commandsOf(
  { words, piped, given }: SplitCommand,
  effort: Effort,
  depth: number,
): readonly FoundCommand[] {
  spend(effort, words.length);
  const from = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [first, ...args] = from < 0 ? [] : words.slice(from);
  if (first === undefined) return [];
  const program = first.slice(first.lastIndexOf("/") + 1);
  const own: FoundCommand = { program, args, piped, given };
  if (depth >= MOST_NESTED) return [own];
  const isShell = INTERPRETERS.has(program);
  const inner = args.flatMap((word) =>
    isShell || /\$\(|`/.test(word) ? commandsIn(word, effort, depth + 1) : [],
  );
  if (!WRAPPERS.has(program)) return [own, ...inner];
  // Where the wrapped command begins depends on the options of each wrapper: every word may be it.
  const wrapped = args.flatMap((_, at) =>
    program === "find" && !FIND_RUNS.test(args[at - 1] ?? "")
      ? []
      : commandsOf({ words: args.slice(at), piped, given }, effort, depth + 1),
  );
  return [own, ...inner, ...wrapped];
}

interface SplitCommand {
  readonly words: string[];
  readonly piped: boolean;
  readonly given: boolean;
}

/** A word with its quotes, an escaped character, an operator, or blanks. */
const PIECE =
  /'[^']*'?|"(?:\\[\s\S]|[^"\\])*"?|\\[\s\S]?|<\(|&?>{1,2}[|&]?|<>|<+&?|[;&|()`\n]|[^\S\n]+|[^\s'"\\;&|()<>`]+/g;

/** Splits a text at blanks and operators outside quotes; quotes and escapes are taken off. */
function splitCommands(text: string): readonly SplitCommand[] {
  let command: SplitCommand = { words: [], piped: false, given: false };
  const commands = [command];
  let word: string | null = null;
  // The word behind a redirection is its file; what follows belongs to the command again.
  let redirection: string | null = null;
  const endWord = (): void => {
    if (word === null) return;
    if (redirection === null) command.words.push(word);
    else commands.push({ words: [redirection, word], piped: false, given: false });
    redirection = null;
    word = null;
  };
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^(?:[;&|()`\n]|<\()$/.test(piece)) {
      endWord();
      redirection = null;
      command = { words: [], piped: piece === "|", given: piece === "<(" };
      commands.push(command);
    } else if (/^(?:[<>]|&>)/.test(piece)) {
      // A number is the descriptor, no word of the command.
      if (/^\d+$/.test(word ?? "")) word = null;
      endWord();
      redirection = piece.includes(">") ? REDIRECTION : INPUT;
    } else if (/^\s/.test(piece)) endWord();
    else word = (word ?? "") + withoutQuotes(piece);
  }
  endWord();
  return commands.filter(({ words }) => words.length > 0);
}

function withoutQuotes(piece: string): string {
  if (piece.startsWith("'")) return piece.replaceAll("'", "");
  if (piece.startsWith('"')) return piece.replace(/^"/, "").replace(/"$/, "");
  return piece.startsWith("\\") ? piece.slice(1).replace("\n", "") : piece;
}
