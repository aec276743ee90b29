import type { NamedRule } from "../config/rule-places.ts";
import type { Reading, Voice } from "../policy/explanation.ts";
import type { ExplainedRequest } from "./explain-call.ts";
import type { ExplainedLine, ReadingLine, VoiceLine } from "./lines.ts";

/** Says where a rule stands, `file:line:column`; null for one that stands in no file. */
export type PlaceOf = (rule: NamedRule) => string | null;

/** Writes an explained request as its line, field by field. */
export function explainedLine(
  request: ExplainedRequest,
  places: { readonly own: PlaceOf; readonly parents: PlaceOf },
): ExplainedLine {
  const { gate, verdict, parent } = request;
  const payload = gate.payload(verdict, { agentName: null, forwarded: false, sessionId: null });
  const { verdict: state, decidedBy } = parent.verdict;
  return {
    explained: {
      kind: payload.kind,
      surface: payload.request.surface,
      value: payload.request.value,
      raised: request.raised,
      state: request.state,
      decidedBy: request.decidedBy,
      readings: request.readings.map((reading) => readingLine(reading, places.own)),
      floor: request.floor,
      overlays: request.overlays,
      parent: {
        state,
        decidedBy,
        readings: parent.readings.map((reading) => readingLine(reading, places.parents)),
        floor: parent.verdict.floor,
        overlays: parent.overlays,
      },
    },
  };
}

function readingLine(reading: Reading, placeOf: PlaceOf): ReadingLine {
  const { kind, agent, surface, values, floor, state, counts, wins, voices } = reading;
  return {
    kind,
    agent,
    surface,
    values,
    floor,
    state,
    counts,
    wins,
    voices: voices.map((voice) => voiceLine(voice, agent, placeOf)),
  };
}

function voiceLine(
  { from, pattern, verdict, decides }: Voice,
  agent: string | null,
  placeOf: PlaceOf,
): VoiceLine {
  const { surface, state, origin, reason, grantId } = verdict;
  const place = placeOf({ origin, surface, pattern, agent });
  return {
    from,
    surface,
    pattern,
    action: state,
    origin,
    ...(reason === null ? {} : { reason }),
    ...(place === null ? {} : { place }),
    ...(grantId === undefined ? {} : { grantId }),
    decides,
  };
}
