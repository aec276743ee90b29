import type { DecisionSource } from "../ask/decision.ts";
import type { StandingEnd } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { ServedAskEnd } from "../journal/journal.ts";
import type { Serving } from "./serving.ts";

/** The end that stands of an ask, for whoever answered it without effect; null when it cannot be read. */
export function standingEnd(
  { read }: Pick<Serving, "read">,
  requestId: RequestId,
): StandingEnd | null {
  const end = read.servedAsk(requestId)?.end ?? null;
  if (end === null) return null;
  if (end.kind !== "decision") return { outcome: "lost", decidedBy: null };
  const { decidedBy } = decisionIn(end);
  return {
    outcome: verdictOf(end) === true ? "allowed" : "denied",
    decidedBy: decidedBy ?? null,
  };
}

/** Whether an end that stands lets the call run; null for one that is no decision. */
export function verdictOf(end: Pick<ServedAskEnd, "kind" | "answer">): boolean | null {
  return end.kind === "decision" ? decisionIn(end).approved === true : null;
}

interface Decided {
  readonly approved?: unknown;
  readonly decidedBy?: DecisionSource;
}

const decisionIn = ({ answer }: Pick<ServedAskEnd, "answer">): Decided =>
  JSON.parse(answer) as Decided;
