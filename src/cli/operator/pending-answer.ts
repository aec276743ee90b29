import { MAX_REASON_CHARACTERS, type WantsAnswer } from "../../ask/control.ts";
import type { ControlReply } from "../../bus/operator-line.ts";
import { wholeLine } from "../audit-text.ts";
import { CommandError, EXIT } from "../failure.ts";
import { type Io, printLine } from "../io.ts";
import type { AnsweredLine } from "../lines.ts";
import {
  failed,
  type OperatorFlags,
  type OperatorTools,
  openOperator,
  refusalText,
} from "./open-operator.ts";
import { type FoundAsk, findAsk, printShown } from "./pending-show.ts";

/** Flags of `pending answer`. */
export interface AnswerFlags extends OperatorFlags {
  readonly allow?: boolean;
  readonly deny?: boolean;
  readonly reason?: string;
  readonly scope?: "once" | "child" | "session";
  readonly bothDirections?: boolean;
  readonly incomplete?: boolean;
  readonly digest?: string;
}

/** What a person says to an ask, without what names it. */
export type SaidAfar = Omit<WantsAnswer, "id" | "requestId" | "digest">;

const SCOPES = { once: "once", child: "child_session", session: "serving_session" } as const;

/** Answers one open ask by flags, or by the keys of the person at the terminal. It is shown first. */
export async function runAnswerPending(
  requestId: string,
  flags: AnswerFlags,
  io: Io,
): Promise<number> {
  const said = isAnswered(flags) || io.screen === null ? saidOf(flags) : null;
  await using tools = await openOperator(flags, io);
  const found = await findAsk(requestId, flags, tools, io);
  if (said === null) {
    const { answerAtScreen } = await import("./answer-at-screen.ts");
    return await answerAtScreen(found, tools, io);
  }
  printShown(found, flags, io);
  const reply = await sendAnswer(tools, found, { ...said, digest: flags.digest });
  return printAnswered(found, reply, flags, io);
}

/** Whether flags say something of an answer: then nobody is asked. */
function isAnswered({ allow, deny, reason, scope, digest, json }: AnswerFlags): boolean {
  return [allow, deny, reason, scope, digest, json].some((flag) => flag !== undefined);
}

/** Sends what a person said to what they were shown. */
export async function sendAnswer(
  { line }: Pick<OperatorTools, "line">,
  { session, shown, part }: FoundAsk,
  { digest = part.digest, ...said }: SaidAfar & { readonly digest?: string | undefined },
): Promise<ControlReply> {
  const { requestId } = shown;
  return line.ask(session, { op: "answer", wants: { requestId, digest, ...said } });
}

function printAnswered(
  { session, shown: { requestId } }: FoundAsk,
  reply: ControlReply,
  flags: AnswerFlags,
  io: Io,
): number {
  if (reply.op === "answer") {
    const line: AnsweredLine = { answered: { requestId, effective: true } };
    if (flags.json === true) printLine(io, line);
    else
      io.write(
        wholeLine(`${flags.allow === true ? "allowed" : "denied"}, and it counts`, flags.width),
      );
    return EXIT.ok;
  }
  if (reply.op !== "refused") failed(session, reply);
  const { why, stands, digest } = reply.refused;
  const told = refusalText(reply.refused);
  if (flags.json !== true) throw new CommandError(`it does not count: ${told}`);
  const more = {
    ...(stands === undefined ? {} : { stands: stands.outcome }),
    ...(digest === undefined ? {} : { digest }),
  };
  const line: AnsweredLine = {
    answered: { requestId, effective: false, why, text: told, ...more },
  };
  printLine(io, line);
  return EXIT.usage;
}

/** What the flags say. @throws {@link CommandError} when they contradict each other. */
function saidOf(flags: AnswerFlags): SaidAfar {
  if ((flags.allow === true) === (flags.deny === true)) {
    throw new CommandError(
      "give --allow or --deny, and not both; without either, a terminal is needed to ask at",
    );
  }
  return flags.allow === true ? allowOf(flags) : denialOf(flags);
}

function allowOf({ reason, scope, bothDirections, incomplete, digest }: AnswerFlags): SaidAfar {
  if (reason !== undefined) throw new CommandError("--reason is for --deny; leave it out");
  if (digest === undefined) {
    throw new CommandError(
      '--allow needs --digest, which names what was shown; "askfabric pending show" prints it',
    );
  }
  return {
    answer: "allow",
    scope: SCOPES[scope ?? "once"],
    ...(bothDirections === true ? { width: "family" } : {}),
    ...(incomplete === true ? { incomplete } : {}),
  };
}

function denialOf({ reason, scope, bothDirections, incomplete }: AnswerFlags): SaidAfar {
  if (scope !== undefined || bothDirections === true || incomplete === true) {
    throw new CommandError(
      "--scope, --both-directions and --incomplete are for --allow; leave them out",
    );
  }
  if (reason !== undefined && reason.length > MAX_REASON_CHARACTERS) {
    throw new CommandError(`--reason is longer than ${MAX_REASON_CHARACTERS} characters; cut it`);
  }
  return { answer: "deny", ...(reason === undefined ? {} : { reason }) };
}
