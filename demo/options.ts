import { parseArgs } from "node:util";

const HELP = `npm run demo                    at a terminal you are the person whom the parent asks
npm run demo -- --scripted      a scripted person answers, and nobody is asked
npm run demo -- --relay         a relay stands between the children and the parent

Starts a server, the audit service, a parent and two children in a folder of their own, puts the calls of
demo/calls.jsonl through them, tells who decided each and why, and ends and removes all of it. Exit code 0 when
every step was kept.
`;

/** What the command line asks for. */
export interface DemoOptions {
  /** A scripted person answers. */
  readonly scripted: boolean;
  /** A relay stands between the children and the parent. */
  readonly relay: boolean;
}

/** Reads the command line. Ends the process when that is all that can be done. */
export function readOptions(args: readonly string[]): DemoOptions {
  try {
    const flag = { type: "boolean", default: false } as const;
    const options = { scripted: flag, relay: flag, help: { ...flag, short: "h" } };
    const { values } = parseArgs({ args: [...args], options });
    if (!values.help) return { scripted: values.scripted, relay: values.relay };
    process.stdout.write(HELP);
    process.exit(0);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    process.stderr.write(`demo: ${said.split(". ")[0] ?? said}\n\n${HELP}`);
    process.exit(1);
  }
}
