import type { OpenAskHead } from "../../ask/control.ts";
import type { ControlReply, OperatorLine } from "../../bus/operator-line.ts";
import { visibleText } from "../../render/visible-text.ts";
import { filled, span, wholeLine } from "../audit-text.ts";
import { EXIT } from "../failure.ts";
import { type Io, printLine } from "../io.ts";
import type { PendingAsk, PendingLine } from "./lines.ts";
import { failed, type OperatorFlags, openOperator, sessionsFor } from "./open-operator.ts";

/** Lists what is open, at one session or at all that are heard. */
export async function runListPending(flags: OperatorFlags, io: Io): Promise<number> {
  await using tools = await openOperator(flags, io);
  const sessions = await sessionsFor(flags, tools, io);
  const found = await Promise.all(
    sessions.map(async (session) => ({ session, open: await openAsksOf(tools.line, session) })),
  );
  let isWhole = true;
  let shown = 0;
  for (const { session, open } of found) {
    if ("op" in open) {
      if (flags.session) failed(session, open);
      isWhole = false;
      const told = visibleText(`session ${session} gave no list (${whyOf(open)})`);
      io.complain(`askfabric: ${told}\n`);
      continue;
    }
    for (const head of open) printPending({ session, ...head }, flags, io);
    shown += open.length;
  }
  if (shown === 0 && flags.json !== true) {
    const where = flags.session ? `at session ${flags.session}` : atAll(sessions.length);
    io.write(wholeLine(`no ask is open ${where}`, flags.width));
  }
  return isWhole ? EXIT.ok : EXIT.lost;
}

function atAll(count: number): string {
  return count === 0 ? "here: no session is heard to serve" : `at the ${count} sessions that serve`;
}

const whyOf = (reply: ControlReply): string =>
  reply.op === "silence" ? reply.why : reply.op === "refused" ? reply.refused.why : reply.op;

/** Parts of a list that are fetched: more than a session has, for all that is open stands in its memory. */
const MOST_PARTS = 1_000;

/** Every open ask of a session; the reply that came instead where it gave no list. */
export async function openAsksOf(
  line: OperatorLine,
  session: string,
): Promise<readonly OpenAskHead[] | ControlReply> {
  const asks: OpenAskHead[] = [];
  let after = 0;
  for (let parts = 0; parts < MOST_PARTS; parts += 1) {
    const reply = await line.ask(session, { op: "list", wants: { after } });
    if (reply.op !== "list") return reply;
    asks.push(...reply.asks);
    if (reply.next === undefined || reply.next <= after) return asks;
    after = reply.next;
  }
  return { op: "silence", why: "endless" };
}

/** Prints one open ask, for a person or as a line. */
export function printPending(
  pending: PendingAsk,
  flags: Pick<OperatorFlags, "json" | "width">,
  io: Io,
): void {
  if (flags.json === true) return printLine(io, { pending } satisfies PendingLine);
  const now = io.clock.now();
  const { requestId, session, child, surface, value, since, expiresAt } = pending;
  const ends = expiresAt > now ? `${span(expiresAt - now)} left` : "its time is over";
  const text = `${requestId}  ${filled(session, 12)}  ${filled(child, 12)}  ${surface} ${value}  ${holderOf(pending)}, for ${span(now - since)}, ${ends}`;
  io.write(wholeLine(text, flags.width));
}

/** Who is asked, in words. */
export function holderOf({
  state,
  heldBy,
  childGone,
}: Pick<OpenAskHead, "state" | "heldBy" | "childGone">): string {
  if (childGone === true) return "its child is not heard";
  switch (state) {
    case "dormant":
      return "rests until its child repeats it";
    case "authorizer":
      return heldBy?.name === undefined ? "with a link" : `with link ${heldBy.name}`;
    case "relayed":
      return `with session ${heldBy?.sessionId ?? "above"}`;
    case "human":
      return "with a person";
  }
}
