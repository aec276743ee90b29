import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Parser, Tree } from "web-tree-sitter";

/** Longest time one text is parsed, in milliseconds. */
const PARSE_BUDGET_MS = 50;

/** Nodes of the grammar that are commands, at the place where their name or their bracket stands. */
const COMMANDS = ["command_name", "declaration_command", "unset_command", "test_command"];

let parser: Parser | null = null;
let budgetMs = PARSE_BUDGET_MS;
let loading: Promise<void> | null = null;

/**
 * Loads the grammar of the shell, once in a process. Until it is there, and when it cannot be read, only plain
 * commands are taken apart; every other one is floored. `parseBudgetMs`, when given, is from now on the longest
 * time one text is parsed, in milliseconds; 50 before.
 */
export async function loadShell(parseBudgetMs?: number): Promise<void> {
  budgetMs = parseBudgetMs ?? budgetMs;
  loading ??= load().catch(() => undefined);
  await loading;
}

async function load(): Promise<void> {
  const [{ Language, Parser: Loaded }, runtime, grammar] = await Promise.all([
    import("web-tree-sitter"),
    readFile(findWasm("web-tree-sitter")),
    readFile(findWasm("tree-sitter-bash")),
  ]);
  await Loaded.init({ wasmBinary: new Uint8Array(runtime) });
  const loaded = new Loaded();
  loaded.setLanguage(await Language.load(new Uint8Array(grammar)));
  parser = loaded;
}

/** Finds a module of the build beside the compiled files, else in the package it comes from. */
function findWasm(name: string): string {
  const built = fileURLToPath(new URL(`../${name}.wasm`, import.meta.url));
  if (existsSync(built)) return built;
  return createRequire(import.meta.url).resolve(`${name}/${name}.wasm`);
}

/** Says whether texts can be parsed. */
export function isShellLoaded(): boolean {
  return parser !== null;
}

/**
 * Where the grammar finds the commands of a text, in their order. `unclear` when it is not loaded, or there
 * is an error or a missing part anywhere; `late` when there was no time.
 */
export function parseCommands(text: string): readonly number[] | "unclear" | "late" {
  if (parser === null) return "unclear";
  const end = performance.now() + budgetMs;
  let tree: Tree | null = null;
  try {
    tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (tree === null) {
      parser.reset();
      return "late";
    }
    return startsIn(tree);
  } catch {
    // A runtime that failed once is not trusted with another text.
    parser = null;
    return "unclear";
  } finally {
    tree?.delete();
  }
}

function startsIn({ rootNode }: Tree): readonly number[] | "unclear" {
  if (rootNode.hasError) return "unclear";
  const starts = rootNode.descendantsOfType(COMMANDS).map((node) => node.startIndex);
  return starts.toSorted((a, b) => a - b);
}
