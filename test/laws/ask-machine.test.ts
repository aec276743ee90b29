import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextTimer, step } from "../../src/child/ask-machine.ts";
import {
  type AskEffect,
  type AskEvent,
  type AskStatus,
  createdAsk,
} from "../../src/child/ask-status.ts";

const incarnation = fc.constantFrom("1.a", "2.b", "2.c", "10.d", "junk");
const lost = fc.constantFrom("ask_malformed", "version_mismatch", "timed_out", "loop" as const);

const event: fc.Arbitrary<AskEvent> = fc.oneof(
  fc.record({
    kind: fc.constant("published" as const),
    outcome: fc.constantFrom("sent", "disconnected", "too_large", "closed" as const),
  }),
  fc.constantFrom(
    { kind: "timer" } as const,
    { kind: "no_responders" } as const,
    { kind: "withdrawn" } as const,
    { kind: "unreadable" } as const,
    { kind: "parent_returned" } as const,
    { kind: "disconnected" } as const,
    { kind: "reconnected" } as const,
    { kind: "publish_refused" } as const,
    { kind: "severed", lost: "bus_unreachable" } as const,
    { kind: "abort" } as const,
    { kind: "shutdown" } as const,
  ),
  fc.record({ kind: fc.constantFrom("accepted", "progress" as const), incarnation }),
  fc.record({
    kind: fc.constant("decision" as const),
    incarnation,
    decisionDigest: fc.constantFrom("d1", "d2", "d3"),
  }),
  fc.record({ kind: fc.constant("refused" as const), lost, proven: fc.boolean() }),
);

interface Step {
  readonly event: AskEvent;
  readonly before: AskStatus;
  readonly after: AskStatus;
  readonly effects: readonly AskEffect[];
  readonly now: number;
}

const LIFE = 30_000;

/** Steps a journalled ask through events at growing times. */
function walk(
  moves: readonly (readonly [AskEvent, number])[],
  connected: boolean,
  othersLeft = 0,
): Step[] {
  const steps: Step[] = [];
  let status = createdAsk({ deadlineAt: LIFE, graceMs: 2_000, othersLeft });
  let now = 0;
  const take = (next: AskEvent, pause: number): void => {
    now += pause;
    const { status: after, effects } = step(status, next, { now, roll: 0.5 });
    steps.push({ event: next, before: status, after, effects, now });
    status = after;
    if (effects.some(({ kind }) => kind === "move")) take({ kind: "journalled", connected }, 0);
  };
  take({ kind: "journalled", connected }, 0);
  for (const [next, pause] of moves) take(next, pause);
  return steps;
}

const othersOf = ([first]: readonly Step[]): number => first?.before.othersLeft ?? 0;

const isEnding = ({ kind }: AskEffect): boolean => kind === "apply" || kind === "lose";

const saysApplied = (effect: AskEffect): boolean =>
  effect.kind === "receipt" && effect.effect === "applied";

const isOver = ({ state }: AskStatus): boolean => state === "decided" || state === "lost";

const publishes = (effects: readonly AskEffect[]): boolean =>
  effects.some(({ kind }) => kind === "publish");

function mayApply({ event: cause, before, now }: Step): boolean {
  if (cause.kind !== "decision" || now >= LIFE || before.sentAt === null) return false;
  return before.acceptedBy.length === 0 || before.acceptedBy.includes(cause.incarnation);
}

function rests({ after, effects }: Step): boolean {
  return !isOver(after) || (nextTimer(after) === null && !publishes(effects));
}

function isUnanswered({ event: cause, before, effects }: Step): boolean {
  return cause.kind === "decision" && isOver(before) && effects.length !== 1;
}

/** The last time the timer is served before the ask has ended, when nothing else happens. */
function lastTimer(status: AskStatus): number {
  let at = status;
  let last = 0;
  for (let due = nextTimer(at); due !== null && due <= LIFE; due = nextTimer(at)) {
    last = due;
    const { status: next, effects } = step(at, { kind: "timer" }, { now: due, roll: 0 });
    at = publishes(effects)
      ? step(next, { kind: "published", outcome: "sent" }, { now: due, roll: 0 }).status
      : next;
  }
  return isOver(at) ? last : Number.POSITIVE_INFINITY;
}

const moves = fc.array(fc.tuple(event, fc.integer({ min: 0, max: 3_000 })), { maxLength: 40 });

const walks = fc
  .tuple(moves, fc.boolean(), fc.nat({ max: 2 }))
  .map(([list, connected, othersLeft]) => walk(list, connected, othersLeft));

const quiet = fc.array(
  fc.tuple(
    fc.constantFrom<AskEvent>(
      { kind: "no_responders" },
      { kind: "timer" },
      { kind: "disconnected" },
      { kind: "reconnected" },
      { kind: "published", outcome: "sent" },
      { kind: "published", outcome: "disconnected" },
      { kind: "publish_refused" },
      { kind: "withdrawn" },
      { kind: "refused", lost: "ask_malformed", proven: false },
    ),
    fc.integer({ min: 0, max: 700 }),
  ),
  { maxLength: 40 },
);

describe("the ask machine, whatever happens in whatever order", () => {
  it("ends an ask at most once", () => {
    fc.assert(
      fc.property(walks, (steps) => {
        const endings = steps.flatMap(({ effects }) => effects).filter(isEnding);
        expect(endings.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("moves an ask only before anybody accepted it, and never past its last parent", () => {
    fc.assert(
      fc.property(walks, (steps) => {
        const moving = steps.filter(({ effects }) => effects.some(({ kind }) => kind === "move"));
        expect(moving.length).toBeLessThanOrEqual(othersOf(steps));
        for (const { event: cause, before, effects } of moving) {
          expect(["no_responders", "publish_refused"]).toContain(cause.kind);
          expect(before.acceptedBy).toEqual([]);
          expect(effects.some(isEnding)).toBe(false);
        }
      }),
    );
  });

  it("applies only a decision that came, before the deadline, from whom it may take one", () => {
    fc.assert(
      fc.property(walks, (steps) => {
        const applying = steps.filter(({ effects }) =>
          effects.some(({ kind }) => kind === "apply"),
        );
        expect(applying.filter((one) => !mayApply(one))).toEqual([]);
      }),
    );
  });

  it("says of one decision only that it was applied, and answers every decision after the end", () => {
    fc.assert(
      fc.property(walks, (steps) => {
        const applied = steps.flatMap(({ effects }) => effects).filter(saysApplied);
        expect(applied.length).toBeLessThanOrEqual(1);
        expect(steps.filter(isUnanswered)).toEqual([]);
      }),
    );
  });

  it("publishes nothing once the ask has ended, and wants no timer", () => {
    fc.assert(
      fc.property(walks, (steps) => {
        expect(steps.filter((one) => !rests(one))).toEqual([]);
      }),
    );
  });

  it("ends every ask by its deadline when only the timer is served", () => {
    fc.assert(
      fc.property(walks, (steps) => {
        for (const { after } of steps.slice(-1)) {
          expect(lastTimer(after)).toBeLessThanOrEqual(LIFE);
        }
      }),
    );
  });

  it("never loses an accepted ask to 503, to silence or to a cut", () => {
    fc.assert(
      fc.property(quiet, (list) => {
        const steps = walk(
          [
            [{ kind: "published", outcome: "sent" }, 0],
            [{ kind: "accepted", incarnation: "1.a" }, 1],
            ...list,
          ],
          true,
        );
        expect(steps.map(({ after }) => after.state)).not.toContain("lost");
      }),
    );
  });
});
