import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Io } from "../../src/cli/io.ts";
import { runProgram } from "../../src/cli/program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The page that explains calls by the rules of `docs/examples/explained-rules.json`. */
export const EXPLAINED_PAGE = `${ROOT}docs/how-to/explain-a-verdict.md`;

const BLOCK = /^```console\n\$ askfabric (?<command>explain [^\n]*)\n[^]*?^```$/gm;

/** A machine on which nothing of the tester's own counts. */
function aMachine(write: (text: string) => void): Io {
  const stop = new AbortController().signal;
  return {
    env: { ASKFABRIC_DATA: "/nonexistent/data" },
    cwd: ROOT.slice(0, -1),
    home: "/home/ann",
    clock: { now: () => 0, monotonic: () => 0 },
    stdin: (async function* nothing() {})(),
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    screen: null,
    write,
    complain: write,
    stop,
    version: "0.0.0",
  };
}

/** The commands of the page, in their order. */
export function commandsOf(page: string): readonly string[] {
  return [...page.matchAll(BLOCK)].map((match) => match.groups?.["command"] ?? "");
}

/** The page with what the program really prints under each of its commands. */
export async function retold(page: string): Promise<string> {
  let text = page;
  for (const command of commandsOf(page)) {
    const output = await outputOf(command, "--width", "110");
    const block = [...text.matchAll(BLOCK)].find((match) => match.groups?.["command"] === command);
    if (block === undefined) throw new Error(`The page shows ${command} twice`);
    const made = `\`\`\`console\n$ askfabric ${command}\n${output}\`\`\``;
    text = text.slice(0, block.index) + made + text.slice(block.index + block[0].length);
  }
  return text;
}

/** What the program prints for a command of the page. */
export async function outputOf(command: string, ...more: readonly string[]): Promise<string> {
  let output = "";
  await runProgram(
    [...wordsOf(command), ...more],
    aMachine((part) => (output += part)),
  );
  return output;
}

/** The words of a command line in which only single quotes quote. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

/** Reads the page. */
export function readPage(): string {
  return readFileSync(EXPLAINED_PAGE, "utf8");
}
