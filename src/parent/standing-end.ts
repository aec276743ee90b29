import type { DecisionSource } from "../ask/decision.ts";
import type { StandingEnd } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { Serving } from "./serving.ts";

/** The end that stands of an ask, for whoever answered it without effect; null when it cannot be read. */
export function standingEnd(
  { read }: Pick<Serving, "read">,
  requestId: RequestId,
): StandingEnd | null {
  const end = read.servedAsk(requestId)?.end ?? null;
  if (end === null) return null;
  if (end.kind !== "decision") return { outcome: "lost", decidedBy: null };
  const { approved, decidedBy } = JSON.parse(end.answer) as {
    readonly approved?: unknown;
    readonly decidedBy?: DecisionSource;
  };
  return { outcome: approved === true ? "allowed" : "denied", decidedBy: decidedBy ?? null };
}
