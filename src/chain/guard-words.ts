/** Programs that run the command in their arguments. */
const WRAPPERS: ReadonlySet<string> = new Set(
  (
    "sudo doas env command builtin exec nohup time timeout nice ionice xargs parallel setsid stdbuf watch flock " +
    "busybox chroot ssh find fd"
  ).split(" "),
);

/** Programs that run a text they are given. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh fish eval su source".split(" "),
);

/** Nested texts that are looked into. */
const MOST_NESTED = 4;

/** A command as far as a look at its text tells it: base name of the program, then its arguments. */
export interface FoundCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it reads what the command before it in the list writes. */
  readonly piped: boolean;
}

/** Stands for the program where a redirection names a file. */
export const REDIRECTION = ">";

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
  { words, piped }: SplitCommand,
  effort: Effort,
  depth: number,
): readonly FoundCommand[] {
  spend(effort, words.length);
  const from = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [first, ...args] = from < 0 ? [] : words.slice(from);
  if (first === undefined) return [];
  const program = first.slice(first.lastIndexOf("/") + 1);
  const own: FoundCommand = { program, args, piped };
  if (depth >= MOST_NESTED) return [own];
  const isShell = INTERPRETERS.has(program);
  const inner = args.flatMap((word) =>
    isShell || /\$\(|`/.test(word) ? commandsIn(word, effort, depth + 1) : [],
  );
  if (!WRAPPERS.has(program)) return [own, ...inner];
  // Where the wrapped command begins depends on the options of each wrapper: every word may be it.
  const wrapped = args.flatMap((_, at) =>
    commandsOf({ words: args.slice(at), piped }, effort, depth + 1),
  );
  return [own, ...inner, ...wrapped];
}

interface SplitCommand {
  readonly words: string[];
  readonly piped: boolean;
}

/** A word with its quotes, an escaped character, an operator, or blanks. */
const PIECE =
  /'[^']*'?|"(?:\\[\s\S]|[^"\\])*"?|\\[\s\S]?|[;&|()<>`\n]|[^\S\n]+|[^\s'"\\;&|()<>`]+/g;

/** Splits a text at blanks and operators outside quotes; quotes and escapes are taken off. */
function splitCommands(text: string): readonly SplitCommand[] {
  const commands: SplitCommand[] = [{ words: [], piped: false }];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) commands.at(-1)?.words.push(word);
    word = null;
  };
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^[;&|()<>`\n]$/.test(piece)) {
      endWord();
      const isRedirection = piece === "<" || piece === ">";
      commands.push({ words: isRedirection ? [REDIRECTION] : [], piped: piece === "|" });
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
