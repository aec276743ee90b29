import type { Command } from "commander";
import type { AskFlags } from "./ask.ts";
import type { ChildFlags } from "./child.ts";
import { askLife, wholeNumber, withConnection } from "./flags.ts";
import type { Io } from "./io.ts";
import type { ServeFlags } from "./serve.ts";

/** What a command is added to, and where its exit code goes. */
export interface CommandContext {
  readonly program: Command;
  readonly io: Io;
  readonly setCode: (code: number) => void;
}

/** Adds `serve`. Its module, like every command's, is loaded when it runs. */
export function addServe({ program, io, setCode }: CommandContext): void {
  withConnection(program.command("serve"))
    .description(
      "Answers the asks of other sessions: by rules first, then by links, then by a person.",
    )
    .option("--session <id>", "the session that is asked [ASKFABRIC_SESSION]")
    .option("--parent <id>", "relays: what rules leave open is put to this session")
    .option(
      "--terminal <kind>",
      "who answers what rules leave open: tui, stdin, operator or deny",
      "stdin",
    )
    .option("--roster <file>", "roster of a fleet, by which agent names of rules may allow")
    .option("--open <n>", "prompts on show at a time", wholeNumber(1, 10_000), 1)
    .option("--width <columns>", "columns of a prompt's rows", wholeNumber(20, 1_000), 80)
    .addHelpText("after", SERVE_HELP)
    .action(async (flags: ServeFlags, command: Command) => {
      const { runServe } = await import("./serve.ts");
      const terminalNamed = command.getOptionValueSource("terminal") === "cli";
      setCode(await runServe({ ...flags, terminalNamed }, io));
    });
}

const SERVE_HELP = `
Prints {"ready":true,"session",…} once it serves. With --terminal stdin each ask that rules and links
leave open becomes a line {"prompt":{"requestId",…}}; answer on standard input, one JSON object a line:
  {"requestId":"perm-…","answer":"allow"}
  {"requestId":"perm-…","answer":"deny","reason":"use the staging branch"}
  {"requestId":"perm-…","answer":"allow_for_session"}          allows its like for that child
  {"requestId":"perm-…","answer":"allow_for_serving_session"}  allows its like for every child of this session
  {"requestId":"perm-…","show":"full"}                         prints the prompt again with nothing left out
A session answer about paths grants the direction that was asked; with "width":"family" it grants both.
A prompt marked "incomplete" lacks evidence that was too large; to allow it add "incomplete":true.
An answer is echoed as {"answered":{"requestId","effective":true}}; a wrong one with "effective":false and
its name, and changes nothing. A reason counts with a denial alone: the agent is told it, and the record holds it.
With --terminal tui a person answers by keys, one ask at a time: y allow, c allow its like for that child,
s for every child, n or Enter deny, r deny with a reason, v the complete view. It needs a terminal; keys count
from 0.4 s after a dialog appeared, a grant is shown before it is given, and NO_COLOR takes the colour away.
With --terminal operator nobody is asked here: what rules and links leave open waits for "askfabric pending answer".
When the terminal goes away, open asks are answered as parent_shut_down.
With stdin, when standard input ends, rules and links go on answering; asks for a person stay open until they expire.
With --parent the session relays: its own rules decide first, and what they leave open is put to that session under
the same id, with what its child said; nobody is asked here, and the links of authorizerChain are left to the session
that decides. The answer comes back with every session it passed.
SIGINT and SIGTERM answer every open ask as parent_shut_down and exit 0. After kill -9 the open asks are
taken up by the next serve of that session on the same data folder.

Examples:
  askfabric serve --session lead
  askfabric serve --session lead --terminal tui
  askfabric serve --session builder --parent lead
  askfabric serve --session lead --terminal deny --join /srv/af/join.json`;

/** Adds `ask`. */
export function addAsk({ program, io, setCode }: CommandContext): void {
  withConnection(program.command("ask"))
    .description("Asks for one tool call, prints its outcome as one JSON line and exits with it.")
    .option("--session <id>", "the session that wants to run the tool [ASKFABRIC_SESSION]")
    .option(
      "--parent <id>",
      "the session that answers; more than one: asked in order [ASKFABRIC_PARENT]",
      inOrder,
    )
    .option("--tool <name>", "the tool's name")
    .option("--input <json>", "the tool's input, a JSON object")
    .option("--stdin", "read the call from standard input as one JSON object instead")
    .option("--cwd <dir>", "working directory of the tool; this process's own when absent")
    .option("--agent <name>", "name of the agent, a claim [ASKFABRIC_AGENT]")
    .option("--timeout-ms <n>", "how long to wait, 1000 to 86400000", askLife)
    .addHelpText("after", ASK_HELP)
    .action(async (flags: AskFlags) => {
      const { runAsk } = await import("./ask.ts");
      setCode(await runAsk(flags, io));
    });
}

const ASK_HELP = `
Exit codes: 0 allowed, 1 usage or configuration, 2 denied, 3 lost (nobody ruled; the line says why).
SIGINT takes the ask back; it is then lost as cancelled.
--stdin takes {"toolName","input","id"?,"cwd"?,"mcp"?,"skill"?,"toolCallId"?,"timeoutMs"?} or exactly what the
PermissionRequest hook of Claude Code sends, which also names the session and the agent.

Examples:
  askfabric ask --session worker --parent lead --tool bash --input '{"command":"git push"}'
  askfabric ask --parent lead --stdin < permission-request.json`;

/** Adds `child`. */
export function addChild({ program, io, setCode }: CommandContext): void {
  withConnection(program.command("child"))
    .description("Asks for many tool calls at once: JSON lines in, one outcome line out for each.")
    .option("--session <id>", "the session that wants to run tools [ASKFABRIC_SESSION]")
    .option(
      "--parent <id>",
      "the session that answers; more than one: asked in order [ASKFABRIC_PARENT]",
      inOrder,
    )
    .option("--agent <name>", "name of the agent, a claim [ASKFABRIC_AGENT]")
    .addHelpText("after", CHILD_HELP)
    .action(async (flags: ChildFlags) => {
      const { runChild } = await import("./child.ts");
      setCode(await runChild(flags, io));
    });
}

const CHILD_HELP = `
In:  {"id":1,"toolName":"bash","input":{"command":"git push"},"cwd":"/srv/app"}
     {"id":1,"cancel":true}
Out: {"id":1,"outcome":"allowed|denied|lost","text",…}
     {"error":{"code","line","text"}} for a line of no use; the program lives on
It ends with exit code 0 when standard input has ended and all outcomes are out, and on SIGINT or SIGTERM
after taking back what is open.

Example:
  askfabric child --session worker --parent lead < calls.jsonl`;

/** Gathers an option that is given more than once, in order. */
export function inOrder(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
