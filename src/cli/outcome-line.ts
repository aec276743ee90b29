import type { Outcome, RequestOutcome } from "../ask/outcome.ts";
import { EXIT } from "./failure.ts";
import type { CallId, OutcomeLine } from "./lines.ts";

/** Writes an outcome as its line, field by field. */
export function outcomeLine(outcome: Outcome, id?: CallId): OutcomeLine {
  const named = id === undefined ? {} : { id };
  const { text, waitedMs } = outcome;
  const requests = outcome.requests.map(requestLine);
  return outcome.outcome === "lost"
    ? { ...named, outcome: "lost", lost: outcome.lost, text, waitedMs, requests }
    : { ...named, outcome: outcome.outcome, text, waitedMs, requests };
}

function requestLine(request: RequestOutcome): RequestOutcome {
  return {
    requestId: request.requestId,
    surface: request.surface,
    value: request.value,
    outcome: request.outcome,
    ...(request.lost === undefined ? {} : { lost: request.lost }),
    resolution: request.resolution,
    decidedBy: request.decidedBy,
    ...(request.state === undefined ? {} : { state: request.state }),
  };
}

/** The exit code that tells how a call ended. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.outcome) {
    case "allowed":
      return EXIT.ok;
    case "denied":
      return EXIT.denied;
    case "lost":
      return EXIT.lost;
  }
}
