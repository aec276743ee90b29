import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/ask/outcome.ts";
import type { Child } from "../../src/child/child.ts";
import { openChild } from "../../src/child/open-child.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { aCall, pass, settle } from "../support/child-scene.ts";
import { aFolder, REAL_CLOCK } from "../support/journal-parts.ts";
import { memoryBus } from "../support/memory-bus.ts";
import type { MemoryPort } from "../support/memory-port.ts";
import { type ParentProcess, type ParentStage, setStage } from "../support/parent-stage.ts";
import { limitMs, runs } from "../support/random-tests.ts";

/** One thing that happens while asks travel. */
type Move =
  | { readonly kind: "ask" }
  | { readonly kind: "answer"; readonly pick: number; readonly allow: boolean }
  | { readonly kind: "take_back"; readonly pick: number }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "pass"; readonly ms: number };

type Fault =
  | "kill_parent"
  | "start_parent"
  | "cut_child"
  | "join_child"
  | "stop_server"
  | "start_server";

const pick = fc.nat(20);

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: "ask" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("answer" as const), pick, allow: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("take_back" as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      fault: fc.constantFrom<Fault>(
        "kill_parent",
        "start_parent",
        "cut_child",
        "join_child",
        "stop_server",
        "start_server",
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.constantFrom(0, 50, 300, 1_100, 4_000, 20_000),
    }),
  },
);

/** Both roles, the server between them and what was asked. */
interface Storm {
  readonly stage: ParentStage;
  readonly child: Child;
  readonly port: MemoryPort;
  readonly journal: Journal;
  readonly asked: { readonly abort: AbortController; readonly outcome: Promise<Outcome> }[];
  parent: ParentProcess | null;
  serverRuns: boolean;
}

async function startParent(storm: Storm): Promise<void> {
  storm.parent ??= await storm.stage.start();
}

async function killParent(storm: Storm): Promise<void> {
  const { parent } = storm;
  storm.parent = null;
  await parent?.kill();
}

const FAULTS: Readonly<Record<Fault, (storm: Storm) => unknown>> = {
  kill_parent: killParent,
  // A process that starts without a server would not come up; the faults of that are another test's.
  start_parent: async (storm) => storm.serverRuns && (await startParent(storm)),
  cut_child: ({ port }) => port.disconnect(),
  join_child: ({ port }) => port.reconnect(),
  stop_server: (storm) => {
    storm.serverRuns = false;
    storm.stage.broker.stop();
  },
  start_server: (storm) => {
    storm.serverRuns = true;
    storm.stage.broker.start();
  },
};

/** Answers one of the prompts that are open at the parent. */
function answer({ parent }: Storm, nth: number, allow: boolean): void {
  const open = parent?.terminal.put.filter(({ signal }) => !signal.aborted) ?? [];
  const one = open[nth % Math.max(1, open.length)];
  if (parent === null || one === undefined) return;
  const { requestId } = one.ask.details;
  if (allow) parent.terminal.allow(requestId);
  else parent.terminal.deny(requestId);
}

async function play(storm: Storm, next: Move): Promise<void> {
  switch (next.kind) {
    case "ask": {
      const abort = new AbortController();
      const call = aCall(`git push origin b${String(storm.asked.length)}`);
      storm.asked.push({
        abort,
        outcome: storm.child.decide(call, { signal: abort.signal, timeoutMs: 3_600_000 }),
      });
      return settle(2);
    }
    case "answer":
      answer(storm, next.pick, next.allow);
      return;
    case "take_back":
      storm.asked[next.pick % Math.max(1, storm.asked.length)]?.abort.abort();
      return;
    case "fault":
      await FAULTS[next.fault](storm);
      return;
    case "pass":
      await pass(next.ms, 250);
  }
}

/** Mends everything, and answers whatever is still put to somebody, until nothing waits. */
async function calm(storm: Storm): Promise<void> {
  FAULTS.start_server(storm);
  FAULTS.join_child(storm);
  await startParent(storm);
  for (let rounds = 0; rounds < 60 && storm.child.pending().length > 0; rounds += 1) {
    await pass(1_000, 250);
    for (const { ask } of storm.parent?.terminal.put ?? []) {
      storm.parent?.terminal.allow(ask.details.requestId);
    }
  }
  await pass(40_000, 1_000);
}

/** What the parent's row says of an ask, in the words of the child's row. */
function verdictAt(
  parent: ParentProcess,
  requestId: string,
): { readonly word: string; readonly digest: string | null; readonly receipt: string | null } {
  const row = parent.journal.read.servedAsk(requestId);
  const receipt = row?.receipt ?? null;
  if (row?.end?.kind !== "decision") return { word: "none", digest: null, receipt };
  const { approved } = JSON.parse(row.end.answer) as { approved: boolean };
  const digest = hash("sha256", row.end.answer, "base64url");
  return { word: approved ? "allowed" : "denied", digest, receipt };
}

/**
 * Both ends agree: what the child applied is what the parent decided, and no receipt says otherwise. A receipt
 * that was on its way when the parent died may be missing.
 */
function disagreements(storm: Storm, outcomes: readonly Outcome[]): readonly string[] {
  const { parent } = storm;
  if (parent === null) return ["the parent is gone"];
  return outcomes.flatMap(({ outcome, requests }) => {
    const [request] = requests;
    if (request === undefined) return ["an outcome without a request"];
    const row = storm.journal.read.childAsk(request.requestId);
    const { word, digest, receipt } = verdictAt(parent, request.requestId);
    const child = [outcome, row?.end?.outcome, row?.end?.decisionDigest];
    const expected = outcome === "lost" ? [outcome, "lost", null] : [word, word, digest];
    const counts = [null, ...RECEIPTS[outcome === "lost" ? "lost" : "ruled"]].includes(receipt);
    const told = JSON.stringify({ request, child, word, digest, receipt });
    return counts && JSON.stringify(child) === JSON.stringify(expected) ? [] : [told];
  });
}

const RECEIPTS = { lost: ["late", "none"], ruled: ["applied", "duplicate"] };

async function aStorm(moves: readonly Move[]): Promise<readonly string[]> {
  await using stage = setStage();
  using folder = aFolder();
  const bus = memoryBus(stage.broker);
  const journal = await openJournal({ folder: folder.path, session: "child-1", clock: REAL_CLOCK });
  const child = await openChild({
    bus,
    session: "child-1",
    parent: "parent-1",
    data: folder.path,
    rules: {},
    home: "/home/op",
    platform: "linux",
    journal,
  });
  const storm: Storm = {
    stage,
    child,
    port: bus.port,
    journal,
    asked: [],
    parent: null,
    serverRuns: true,
  };
  await startParent(storm);
  for (const next of moves) await play(storm, next);
  await calm(storm);
  const faults = storm.child.pending().map(({ requestId }) => `${requestId} still waits`);
  await child.close();
  const outcomes = await Promise.all(storm.asked.map(async ({ outcome }) => outcome));
  const found = [...faults, ...disagreements(storm, outcomes)];
  await journal.close(false);
  return found;
}

describe("a child and its parent under kills, cuts and stops", () => {
  it(
    "agree about every ask: one verdict, applied once, known to count",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 40 }), async (moves) => {
          expect(await aStorm(moves)).toEqual([]);
        }),
        { numRuns: runs(15), endOnFailure: true },
      );
    },
    limitMs(120_000),
  );
});
