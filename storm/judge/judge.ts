import { SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import { type VerifyFault, verifyStore } from "../../src/audit/verify.ts";
import { idleJournals } from "../../src/journal/open-outbox.ts";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import type { Scene } from "../scene.ts";
import { type Fault, type Found, judgeCall } from "./judge-call.ts";
import { readKept } from "./kept.ts";

/** What a storm came to. */
export interface Verdict {
  readonly asks: number;
  readonly counts: Readonly<Record<Fault, number>>;
  readonly found: readonly Found[];
  /** Calls whose process was killed before it read them; they count for nothing. */
  readonly neverAsked: number;
  /** Rules' answers without a record at a parent that was killed within 10 ms. */
  readonly unrecorded: number;
  readonly records: number;
}

/** Judges the calls by what is in the store at this moment. */
export async function judge(scene: Scene): Promise<Verdict> {
  await using reads = await openSqliteReads(scene.store);
  const kept = await readKept(reads);
  const judged = scene.feed.calls.map((call) => judgeCall(call, kept, scene.topology));
  const found = judged.flatMap((one) => one.found);
  const asked = judged.filter((one) => one.asked).length;
  const { records } = await reads.counts();
  return {
    asks: asked,
    counts: countFaults(found),
    found,
    neverAsked: judged.length - asked,
    unrecorded: judged.filter((one) => one.unrecorded).length,
    records,
  };
}

/** Counts calls, not findings: one call can be found twice. */
function countFaults(found: readonly Found[]): Verdict["counts"] {
  const count = (fault: Fault): number =>
    new Set(found.filter((one) => one.fault === fault).map(({ call }) => call)).size;
  return {
    lost: count("lost"),
    doubled: count("doubled"),
    misdelivered: count("misdelivered"),
    divergent: count("divergent"),
  };
}

/** What is wrong with the chains of records. */
export interface ChainFaults {
  readonly why: readonly string[];
  /** Records that were written and are not in the store: for each, an ask or a session lost something. */
  readonly missing: number;
}

/** What the chains of records lack; called when all sessions have ended. */
export async function chainFaults({ store, data }: Scene): Promise<ChainFaults> {
  await using reads = await openSqliteReads(store);
  const faults: string[] = [];
  let missing = 0;
  const held = new Map<string, Head>();
  for await (const { session, firstN, lastN: n, hash, faults: found } of verifyStore(reads)) {
    held.set(session, { n, hash });
    if (firstN !== 1) faults.push(`${session}: its first record here is ${String(firstN)}`);
    faults.push(...found.map((fault) => `${session}: ${JSON.stringify(fault)}`));
    missing += found.reduce((sum, fault) => sum + missingBy(fault), firstN - 1);
  }
  for (const [session, { n, hash }] of await writtenHeads([data.lead, data.child, data.middle])) {
    const here = held.get(session);
    if (here?.n === n && here.hash === hash) continue;
    missing += n - (here?.n ?? 0);
    const ends = `the store ends at ${String(here?.n ?? 0)}`;
    faults.push(`${session} wrote ${String(n)} records, ${ends}`);
  }
  const { deadLetters } = await reads.counts();
  if (deadLetters > 0) faults.push(`${String(deadLetters)} messages were set aside`);
  return { why: faults, missing };
}

function missingBy(fault: VerifyFault): number {
  return fault.fault === "missing" ? fault.toN - fault.fromN + 1 : 0;
}

interface Head {
  readonly n: number;
  readonly hash: string;
}

/** Where the chain of each session ends, by the journals of these folders. */
async function writtenHeads(folders: readonly string[]): Promise<ReadonlyMap<string, Head>> {
  const heads = new Map<string, Head>();
  for (const journal of folders.flatMap(idleJournals)) {
    using outbox = await journal.open(SYSTEM_CLOCK);
    if (outbox !== null) heads.set(outbox.session, outbox.read.head());
  }
  return heads;
}
