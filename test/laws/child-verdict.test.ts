import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/ask/outcome.ts";
import { aCall, type ChildScene, childScene, settle } from "../support/child-scene.ts";
import { runs } from "../support/random-tests.ts";
import type { HeardAsk } from "../support/scripted-parent.ts";

/** What a peer can send to an ask that waits. `inc` is the incarnation it claims. */
type Move =
  | { readonly kind: "accept"; readonly inc: string }
  | {
      readonly kind: "decide";
      readonly inc: string;
      readonly approved: boolean;
      readonly key: "right" | "wrong" | "none";
      readonly digest: "right" | "wrong";
    }
  | { readonly kind: "contradict"; readonly key: "right" | "wrong" }
  | { readonly kind: "garbage"; readonly text: string; readonly key: "right" | "wrong" | "none" }
  | {
      readonly kind: "refuse";
      readonly lost: "timed_out" | "ask_malformed";
      readonly proven: boolean;
    }
  | { readonly kind: "withdraw" }
  | { readonly kind: "beat"; readonly inc: string };

const inc = fc.constantFrom("1.a", "2.b", "10.c");
const key = fc.constantFrom("right", "wrong", "none" as const);
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant("accept" as const), inc }),
  fc.record({
    kind: fc.constant("decide" as const),
    inc,
    approved: fc.boolean(),
    key,
    digest: fc.constantFrom("right", "right", "wrong" as const),
  }),
  fc.record({
    kind: fc.constant("contradict" as const),
    key: fc.constantFrom("right", "wrong" as const),
  }),
  fc.record({
    kind: fc.constant("garbage" as const),
    text: fc.constantFrom("", "what", "{", "[]", '{"approved":true}', "\u0000"),
    key,
  }),
  fc.record({
    kind: fc.constant("refuse" as const),
    lost: fc.constantFrom("timed_out", "ask_malformed" as const),
    proven: fc.boolean(),
  }),
  fc.constant({ kind: "withdraw" as const }),
  fc.record({ kind: fc.constant("beat" as const), inc }),
);

const WRONG_NONCE = Buffer.alloc(32, 9).toString("base64url");

function nonceOf(ask: HeardAsk, which: "right" | "wrong" | "none"): string | null {
  if (which === "none") return null;
  return which === "right" ? ask.ask.nonce : WRONG_NONCE;
}

function decisionBody(ask: HeardAsk, of: Extract<Move, { kind: "decide" }>): string {
  return JSON.stringify({
    v: 1,
    requestId: ask.ask.id,
    askDigest: of.digest === "right" ? ask.askDigest : "x".repeat(43),
    incarnation: of.inc,
    approved: of.approved,
    state: of.approved ? "approved" : "denied",
    responderSessionId: "parent-1",
    respondedAt: 1,
    decidedBy: { kind: "user", via: "dialog" },
  });
}

function play(scene: ChildScene, ask: HeardAsk, next: Move): void {
  const { parent } = scene;
  switch (next.kind) {
    case "accept":
      parent.accept(ask, next.inc);
      return;
    case "decide":
      parent.repeat(ask, decisionBody(ask, next), nonceOf(ask, next.key));
      return;
    case "contradict": {
      const body = decisionBody(ask, {
        kind: "decide",
        inc: "1.a",
        approved: true,
        key: "right",
        digest: "right",
      });
      parent.repeat(
        ask,
        body.replace('"approved":true', '"approved":false'),
        nonceOf(ask, next.key),
      );
      return;
    }
    case "garbage":
      parent.repeat(ask, next.text, nonceOf(ask, next.key));
      return;
    case "refuse":
      parent.refuse(ask, next.lost, next.proven);
      return;
    case "withdraw":
      parent.withdraw(ask);
      return;
    case "beat":
      parent.beat(next.inc);
  }
}

/** What the contract says comes of the moves; an ask that still waits then is taken back. */
function verdictOf(moves: readonly Move[]): string {
  const accepted: string[] = [];
  for (const next of moves) {
    const ends = endBy(next, accepted);
    if (ends !== null) return ends;
    if (next.kind === "accept" && accepted.every((other) => epoch(next.inc) > epoch(other))) {
      accepted.push(next.inc);
    }
  }
  return "lost cancelled";
}

const epoch = (name: string): number => Number.parseInt(name, 10);

/** How a move ends an ask that these incarnations accepted; null when it does not. */
function endBy(next: Move, accepted: readonly string[]): string | null {
  const isFirst = accepted.length === 0;
  switch (next.kind) {
    case "decide":
      if (next.key !== "right" || next.digest !== "right") return null;
      if (!isFirst && !accepted.includes(next.inc)) return null;
      return next.approved ? "allowed" : "denied";
    case "contradict":
    case "garbage":
      return next.key === "right" ? "lost version_mismatch" : null;
    case "refuse":
      if (next.proven) return `lost ${next.lost}`;
      return isFirst && next.lost === "ask_malformed" ? "lost ask_malformed" : null;
    case "accept":
    case "withdraw":
    case "beat":
      return null;
  }
}

/** The receipts that say so of a decision which was applied. */
const appliedIn = (word: string): readonly string[] =>
  word === "allowed" || word === "denied" ? ["applied"] : [];

const wordOf = (outcome: Outcome): string =>
  outcome.outcome === "lost" ? `lost ${outcome.lost}` : outcome.outcome;

describe("a child, whatever its peers send in whatever order", () => {
  let scene: ChildScene;
  beforeAll(async () => {
    scene = await childScene();
  });
  afterAll(async () => {
    await scene[Symbol.asyncDispose]();
  });

  it("allows only by a proven approval, ends an ask once, and says once that it applied one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 12 }), async (moves) => {
        const before = scene.parent.asks.length;
        const receiptsBefore = scene.parent.receipts.length;
        const abort = new AbortController();
        const outcome = scene.child.decide(aCall(), { signal: abort.signal });
        const ask = await scene.ask(before);
        for (const next of moves) play(scene, ask, next);
        await settle();
        abort.abort();
        const word = wordOf(await outcome);
        expect(word).toBe(verdictOf(moves));
        await settle();
        const { id } = ask.ask;
        const ends = scene
          .records()
          .filter(({ requestId, result }) => [requestId, typeof result].join() === `${id},string`);
        expect(ends).toHaveLength(1);
        const effects = scene.parent.receipts
          .slice(receiptsBefore)
          .map(({ message }) => message.effect);
        const applied = effects.filter((effect) => effect === "applied");
        expect(applied).toEqual(appliedIn(word));
        scene.parent.withdraw(ask);
        await settle(2);
      }),
      { numRuns: runs(60) },
    );
  });
});
