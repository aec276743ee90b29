/**
 * The link that comes with the program: it denies what reads or writes files that hold secrets by custom, and
 * commands that destroy beyond doubt; everything else it leaves to others. It never allows.
 */
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Link, LinkSetup, LinkVerdict } from "../ask/ports.ts";
import { destructionIn } from "./guard-commands.ts";
import { secretNameOf } from "./guard-paths.ts";
import { commandsIn, type FoundCommand, TooMuchError } from "./guard-words.ts";

/** Characters and words that are looked at for one ask; over a hundred times those of a long command. */
const MOST_EFFORT = 1_000_000;

const SHELL = "bash";

/** Surfaces whose values are paths. */
const PATHS = /^(?:path|external_directory)(?:_read|_write)?$|^(?:read|write|edit|multi_edit)$/;

/**
 * Makes the guard. `options.except`: names and paths that are no secrets here, compared exactly.
 *
 * @throws Error when the options hold anything else.
 */
export function createLink({ options }: LinkSetup): Pick<Link, "judge"> {
  const except = readExcept(options);
  return { judge: async (details) => judge(details, except) };
}

function judge(details: PromptPermissionDetails, except: ReadonlySet<string>): LinkVerdict {
  try {
    const why = reasonAgainst(details, except);
    return why === null ? { kind: "defer" } : { kind: "deny", reason: why };
  } catch (error) {
    // Deferring would let whoever writes long enough past the guard.
    if (error instanceof TooMuchError) return { kind: "deny", reason: error.message };
    throw error;
  }
}

function reasonAgainst(
  details: PromptPermissionDetails,
  except: ReadonlySet<string>,
): string | null {
  const effort = { left: MOST_EFFORT };
  const paths = [...pathsOf(details)];
  for (const text of commandTexts(details)) {
    const commands = commandsIn(text, effort);
    const why = destructionIn(text, commands);
    if (why !== null) return why;
    for (const command of commands) paths.push(...wordsOf(command));
  }
  for (const path of new Set(paths)) {
    const name = except.has(path) ? null : secretNameOf(path);
    if (name !== null && !except.has(name)) return `${name} holds secrets by custom`;
  }
  return null;
}

/** Everything that a shell ask says will run, whole and in pieces; empty for other asks. */
function commandTexts({ payload, accessIntent }: PromptPermissionDetails): readonly string[] {
  const { request, evidence, kind } = payload;
  const isShell =
    kind === "bash" || kind === "bash_external_directory" || accessIntent?.surface === SHELL;
  const units = accessIntent?.units?.map(({ value }) => value) ?? [];
  if (!isShell && units.length === 0) return [];
  const whole = evidence.filter(({ label }) => label === "full command").map(({ text }) => text);
  const own = accessIntent?.surface === SHELL ? accessIntent.matchValues : [];
  return [...new Set([...whole, request.value, ...own, ...units])];
}

function pathsOf({ payload, accessIntent }: PromptPermissionDetails): readonly string[] {
  const facts = [
    ...(accessIntent === undefined ? [] : [accessIntent]),
    ...(accessIntent?.paths ?? []),
  ];
  const said = facts
    .filter(({ surface }) => PATHS.test(surface))
    .flatMap(({ matchValues, boundaryValue }) => [...matchValues, boundaryValue ?? ""]);
  const { request } = payload;
  return [...said, ...(PATHS.test(request.surface) ? [request.value] : [])];
}

/** What opens none of its arguments: it prints them, or tells of a file no more than that it is there. */
const LOOKERS: ReadonlySet<string> = new Set(
  "echo printf ls stat test [ [[ basename dirname realpath readlink which".split(" "),
);

/** What takes its first argument for a pattern, unless an option gives it one. */
const SEARCHERS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);

const GIT_LOOKS = /^(?:check-ignore|ls-files|status)$/;

/** The arguments of a command that may be files; of one such as `--key=FILE` and of `@FILE` the file too. */
function wordsOf({ program, args }: FoundCommand): readonly string[] {
  if (LOOKERS.has(program) || (program === "git" && GIT_LOOKS.test(args[0] ?? ""))) return [];
  return filesAmong(program, args).flatMap((word) => [word, word.replace(/^[^=]*=@?|^@/, "")]);
}

function filesAmong(program: string, args: readonly string[]): readonly string[] {
  if (program === "find" && !args.some((one) => /^-(?:exec|ok|f(?:print|ls))/.test(one))) {
    return args.filter((_, i) => !/^-i?(?:name|path)$/.test(args[i - 1] ?? ""));
  }
  if (!SEARCHERS.has(program)) return args;
  if (args.some((one) => /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file|files)\b)/.test(one))) return args;
  const pattern = args.findIndex((one) => !one.startsWith("-"));
  return args.filter((_, i) => i !== pattern);
}

function readExcept(options: LinkSetup["options"]): ReadonlySet<string> {
  const { except = [], ...others } = options;
  const unknown = Object.keys(others);
  if (unknown.length > 0) {
    throw new Error(`the guard knows no option ${unknown.join(", ")}, only "except"`);
  }
  if (Array.isArray(except) && except.every((one) => typeof one === "string")) {
    return new Set(except);
  }
  throw new Error('"except" of the guard must be a list of names or paths');
}
