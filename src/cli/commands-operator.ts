import { type Command, Option } from "commander";
import type { CommandContext } from "./commands-asking.ts";
import { widthOption, withConnection } from "./flags.ts";
import type { OperatorFlags } from "./operator/open-operator.ts";
import type { AnswerFlags } from "./operator/pending-answer.ts";

/** Adds `pending list`, `show`, `answer` and `watch`. */
export function addPending(context: CommandContext): void {
  const { program, io, setCode } = context;
  const pending = program
    .command("pending")
    .description("Shows an operator what is open at the sessions of a fleet, and answers it.");
  withOperator(pending.command("list"))
    .description("Lists the open asks of a session, or of every session that is heard.")
    .addHelpText("after", LIST_HELP)
    .action(async (flags: OperatorFlags) => {
      setCode(await (await import("./operator/pending-list.ts")).runListPending(flags, io));
    });
  withOperator(pending.command("show"))
    .argument("<id>", "id of the ask")
    .description("Shows an open ask as its session puts it to a person, nothing left out.")
    .addHelpText("after", SHOW_HELP)
    .action(async (id: string, flags: OperatorFlags) => {
      setCode(await (await import("./operator/pending-show.ts")).runShowPending(id, flags, io));
    });
  withOperator(pending.command("answer"))
    .argument("<id>", "id of the ask")
    .description("Answers an open ask in the place of the person at its session.")
    .option("--allow", "let the call run")
    .option("--deny", "do not")
    .option("--reason <text>", "with --deny: told to the agent word for word")
    .addOption(
      new Option(
        "--scope <scope>",
        "with --allow, how far it reaches: this call, its like for that child, or for every child",
      ).choices(["once", "child", "session"]),
    )
    .option("--both-directions", "with --scope, of paths: for reading and writing")
    .option("--incomplete", "with --allow: known that not all evidence came along")
    .option("--digest <digest>", "digest of what was shown; --allow needs it")
    .addHelpText("after", ANSWER_HELP)
    .action(async (id: string, flags: AnswerFlags) => {
      setCode(await (await import("./operator/pending-answer.ts")).runAnswerPending(id, flags, io));
    });
  addWatchPending(pending, context);
}

/** Adds `pending watch`. */
function addWatchPending(pending: Command, { io, setCode }: CommandContext): void {
  withOperator(pending.command("watch"))
    .description("Tells of open asks as they come, move and go, until it is stopped.")
    .addHelpText("after", WATCH_HELP)
    .action(async (flags: OperatorFlags) => {
      setCode(await (await import("./operator/pending-watch.ts")).runWatchPending(flags, io));
    });
}

/** Adds the flags that say who the operator is and which session is meant. */
export function withOperator(command: Command): Command {
  return withConnection(command)
    .option("--session <id>", "session that serves; by default every one that is heard")
    .option("--as <name>", "name of the operator [ASKFABRIC_OPERATOR]")
    .option("--json", "print JSON lines")
    .addOption(widthOption());
}

const LIST_HELP = `
Without --session it listens for two seconds for sessions that serve. A credential of an operator names the operator;
with a token --as does. Exit code 3 when a session gave no answer.

Examples:
  askfabric pending list --as alice
  askfabric pending list --session lead --json --join alice.join.json`;

const WATCH_HELP = `
Prints an open ask when it comes and when somebody else is asked for it, and {"gone":…} when it is open no longer.

Example:
  askfabric pending watch --as alice --json`;

const SHOW_HELP = `
The last line is the digest of exactly what is shown; an answer names it. That an operator was shown an ask is recorded.

Example:
  askfabric pending show perm-4f7c --as alice`;

const ANSWER_HELP = `
Without --allow and --deny it asks at the terminal, with the keys of "askfabric serve --terminal tui": Enter denies.
It counts as the answer of a person at the session's own terminal would: the first of all answers stands, and whoever
comes later is told which one does. Where the ask is not any more what the digest names, the answer is refused.
Exit codes: 0 the answer counts, 1 it does not, 3 the session gave no answer.

Examples:
  askfabric pending answer perm-4f7c --as alice
  askfabric pending answer perm-4f7c --as alice --deny --reason 'not on a Friday'
  askfabric pending answer perm-4f7c --as alice --allow --digest 8Jx…`;
