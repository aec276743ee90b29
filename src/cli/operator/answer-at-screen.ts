import { isIncomplete } from "../../ask/carried.ts";
import type { TerminalAnswer, TerminalAsk } from "../../ask/ports.ts";
import type { ControlReply } from "../../bus/operator-line.ts";
import { CommandError, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { wantsColour } from "../tui-paint.ts";
import { createTuiTerminal, type TuiTerminal } from "../tui-terminal.ts";
import { during, failed, type OperatorTools } from "./open-operator.ts";
import { type SaidAfar, sendAnswer } from "./pending-answer.ts";
import { holderOf } from "./pending-list.ts";
import type { FoundAsk } from "./pending-show.ts";

/** How often it is looked whether the ask is still what is shown, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

type Ruled = Extract<TerminalAnswer, { kind: "ruled" }>;

/** Asks the person before the screen about an ask of a session, as `serve` would, and sends the answer. */
export async function answerAtScreen(
  found: FoundAsk,
  tools: OperatorTools,
  io: Io,
): Promise<number> {
  const { part, session } = found;
  const { screen } = io;
  if (screen === null) throw new CommandError("no terminal is there to ask at");
  if (part.state !== "human" || part.childGone === true) {
    throw new CommandError(
      `the ask is ${holderOf(part)}, so nobody can answer it at ${session} now`,
    );
  }
  const { promptMaxRows, promptFieldMaxWidth } = tools.prepared.config.options;
  using terminal = createTuiTerminal({
    screen,
    maxRows: promptMaxRows,
    fieldMaxWidth: promptFieldMaxWidth,
    colour: wantsColour(io.env),
    clock: io.clock,
  });
  const away = new AbortController();
  const looking = lookAfter(found, tools, { away, io });
  const answer = await terminal.decide(askOf(found), away.signal);
  const wasGone = away.signal.aborted;
  if (!wasGone) away.abort("answered");
  await looking;
  if (answer.kind !== "ruled" || wasGone) return EXIT.usage;
  const reply = await sendAnswer(tools, found, saidOf(found, answer));
  return tell(reply, answer, { terminal, session });
}

function askOf({ shown, part }: FoundAsk): TerminalAsk {
  const { session: _session, askDigest: _askDigest, reprompt, ...details } = shown;
  return { details, expiresAt: part.expiresAt, reprompt, presented: () => undefined };
}

/** Takes the dialog back when the ask ends, or is not any more what is shown. */
async function lookAfter(
  { session, shown: { requestId }, part }: FoundAsk,
  { line, closed }: OperatorTools,
  { away, io }: { readonly away: AbortController; readonly io: Io },
): Promise<void> {
  void closed.then(() => away.abort("stopped"));
  io.stop.addEventListener("abort", () => away.abort("stopped"), { once: true });
  const isAway = (): boolean => away.signal.aborted;
  for (;;) {
    await during(LOOK_EVERY_MS, away.signal);
    if (isAway()) return;
    // Behind its end there is nothing to be fetched: what comes is where the ask is, and the digest.
    const wants = { requestId, from: part.size };
    const reply = await line.ask(session, { op: "show", wants });
    if (reply.op === "silence") continue;
    if (reply.op === "refused") away.abort(reply.refused.why === "ended" ? "decided" : "withdrawn");
    else if (reply.op === "show" && reply.shown.digest !== part.digest) away.abort("withdrawn");
    else if (reply.op === "show" && reply.shown.childGone === true) away.abort("child_gone");
  }
}

/** The dialog confirms by itself that evidence is missing, and that a grant is to be given. */
function saidOf({ shown: { payload } }: FoundAsk, { ruling, scope }: Ruled): SaidAfar {
  const { approved, denialReason, sessionGrantWidth: width } = ruling;
  if (!approved) {
    return { answer: "deny", ...(denialReason === undefined ? {} : { reason: denialReason }) };
  }
  return {
    answer: "allow",
    scope,
    ...(width === undefined ? {} : { width }),
    ...(isIncomplete(payload) ? { incomplete: true } : {}),
  };
}

function tell(
  reply: ControlReply,
  { settled }: Ruled,
  { terminal, session }: { readonly terminal: TuiTerminal; readonly session: string },
): number {
  if (reply.op === "answer") {
    settled?.("counted");
    return EXIT.ok;
  }
  if (reply.op !== "refused") failed(session, reply);
  const { why, text, stands } = reply.refused;
  if (why === "ended") settled?.("ended", stands);
  else terminal.say(`Does not count: ${text}`);
  return EXIT.usage;
}
