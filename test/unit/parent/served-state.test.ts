import { describe, expect, it } from "vitest";
import {
  isUndecided,
  nextState,
  SERVED_EVENTS,
  SERVED_STATES,
  type ServedEvent,
  type ServedState,
  stateOfRow,
} from "../../../src/parent/served-state.ts";

const EDGES: readonly (readonly [ServedState, ServedEvent, ServedState])[] = [
  ["unknown", "held", "authorizer"],
  ["unknown", "ruled", "decided"],
  ["unknown", "cancelled", "tombstone"],
  ["unknown", "refused", "refused"],
  ["dormant", "held", "authorizer"],
  ["dormant", "ruled", "decided"],
  ["dormant", "cancelled", "withdrawn"],
  ["dormant", "refused", "refused"],
  ["authorizer", "deferred", "human"],
  ["authorizer", "ruled", "decided"],
  ["authorizer", "cancelled", "withdrawn"],
  ["authorizer", "refused", "refused"],
  ["authorizer", "stopped", "dormant"],
  ["authorizer", "passed", "relayed"],
  ["relayed", "ruled", "decided"],
  ["relayed", "cancelled", "withdrawn"],
  ["relayed", "refused", "refused"],
  ["relayed", "stopped", "dormant"],
  ["human", "ruled", "decided"],
  ["human", "cancelled", "withdrawn"],
  ["human", "refused", "refused"],
  ["human", "stopped", "dormant"],
  ["decided", "swept", "unknown"],
  ["withdrawn", "swept", "unknown"],
  ["refused", "swept", "unknown"],
  ["tombstone", "swept", "unknown"],
];

const drawn = new Set(EDGES.map(([from, event]) => `${from} ${event}`));
const others = SERVED_STATES.flatMap((state) =>
  SERVED_EVENTS.map((event) => [state, event] as const),
).filter(([state, event]) => !drawn.has(`${state} ${event}`));

describe("the states of a served ask", () => {
  it.each(EDGES)("an ask that is %s and is %s becomes %s", (from, event, to) => {
    expect(nextState(from, event)).toBe(to);
  });

  it.each(others)("an ask that is %s is not moved by %s", (state, event) => {
    expect(nextState(state, event)).toBeNull();
  });

  it("only the dormant and the held are undecided", () => {
    expect(SERVED_STATES.filter(isUndecided)).toEqual([
      "dormant",
      "authorizer",
      "human",
      "relayed",
    ]);
  });

  it("an ask that has ended is moved by nothing but the sweep", () => {
    const ended = ["decided", "withdrawn", "refused", "tombstone"] as const;
    const moves = ended.flatMap((state) =>
      SERVED_EVENTS.filter((event) => nextState(state, event) !== null),
    );
    expect(new Set(moves)).toEqual(new Set(["swept"]));
  });

  it("a row without an end is dormant and an ended row keeps its end", () => {
    const end = (kind: "decision" | "refused" | "withdrawn") => ({
      end: { kind, answer: "{}", endedAt: 1 },
    });
    expect(stateOfRow({ end: null })).toBe("dormant");
    expect(stateOfRow(end("decision"))).toBe("decided");
    expect(stateOfRow(end("refused"))).toBe("refused");
    expect(stateOfRow(end("withdrawn"))).toBe("withdrawn");
  });
});
