import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordHeader } from "../../src/ask/record.ts";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import { type Line, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { type AuditServer, startAuditServer } from "../support/audit-server.ts";
import { aFolder } from "../support/journal-parts.ts";
import { keeping, openWriter, runSink } from "../support/sink-process.ts";
import { until } from "../support/until.ts";

/** A record as a session of ill will could publish it: every part agrees with the others unless it is given. */
interface Lie {
  readonly head?: Partial<RecordHeader>;
  readonly body?: Uint8Array | string;
  readonly kind?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const EVENT_ID = "0123456789abcdef0123456789abcdef";
const HUGE = Number.MAX_SAFE_INTEGER;
const DEEP = 50_000;

/** Lies that are records all the same, in the order they are told. */
const KEPT: readonly Lie[] = [
  { head: { n: 1, time: 1e308 } },
  { head: { n: 2, time: -1e18, prev: "nothing" } },
  { head: { n: 2, time: 1e18 } },
  { head: { n: HUGE } },
  { head: { n: 3, eventId: EVENT_ID } },
  { head: { n: 4 }, body: JSON.stringify({ event: "x", value: "y ".repeat(240_000) }) },
  { head: { n: 5 }, body: `{"event":"x","a":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}` },
  {
    head: { n: 6, requestId: "\u0000\u001b[31m", incarnation: "?" },
    body: '{"event":"\\ud800","toolCallId":"\\ud800","wireId":"\\u0000","__proto__":{"x":1}}',
  },
  { head: { n: 7 }, body: '{"event":"never.heard.of"}' },
];

/** Lies that are no records, with what each is set aside as. */
const ASIDE: readonly (readonly [fault: string, lie: Lie])[] = [
  ["event_id_conflict", { head: { n: 9, eventId: EVENT_ID }, body: '{"event":"other"}' }],
  ["body_malformed", { head: { n: 10 }, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }],
  ["body_malformed", { head: { n: 11 }, body: "[]" }],
  ["subject_unknown", { head: { n: 12 }, kind: "gossip" }],
  ["kind_mismatch", { head: { n: 13 }, kind: "decision" }],
  ["session_mismatch", { head: { n: 14, session: "somebody else" } }],
  ["digest_mismatch", { head: { n: 15, bodyDigest: "x" } }],
  ["salt_malformed", { head: { n: 16 }, headers: { "Af-Salt": "AA" } }],
  ["header_malformed", { head: { n: 0 } }],
  ["header_malformed", { head: { n: 1.5 } }],
  ["header_malformed", { headers: { "Af-Record": "%%%" } }],
];

interface Told {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

function messageOf({ head, body = "{}", kind = "review", headers }: Lie, prefix: string): Told {
  const data = Buffer.from(body);
  const salt = randomBytes(16);
  const whole: RecordHeader = {
    eventId: randomBytes(16).toString("hex"),
    session: "liar",
    n: 1,
    prev: null,
    kind: "review",
    time: 1_000,
    requestId: "perm-lie",
    incarnation: "1.a",
    bodyDigest: hash("sha256", Buffer.concat([salt, data]), "base64url"),
    ...head,
  };
  return {
    subject: `${prefix}.audit.liar.${kind}`,
    data,
    headers: {
      "Nats-Msg-Id": whole.eventId,
      "Af-Record": Buffer.from(JSON.stringify(whole)).toString("base64url"),
      "Af-Salt": salt.toString("base64url"),
      ...headers,
    },
  };
}

describe("records that lie", () => {
  const folder = aFolder();
  const store = join(folder.path, "records.sqlite");
  let audit: AuditServer;
  let sink: RunningProgram;
  beforeAll(async () => {
    audit = await startAuditServer();
    sink = await keeping(runSink(audit, store, { data: folder.path }));
    await using liar = await audit.asSession("liar");
    const tell = async (lies: readonly Lie[]): Promise<void> => {
      for (const lie of lies) {
        const { subject, data, headers } = messageOf(lie, audit.prefix);
        liar.port.publish(subject, data, { headers });
      }
      await liar.port.flush(5_000);
    };
    await tell(KEPT);
    await holds({ records: KEPT.length, deadLetters: 0 });
    // A stream knows an id again for a while; one that was made anew does not.
    await audit.remove("stream");
    await until("the trouble", () => sink.stderr().includes("There is no audit stream"), 30_000);
    await audit.provision();
    await tell(ASIDE.map(([, lie]) => lie));
    await using writer = await openWriter(audit, folder.path, "honest");
    writer.write(100);
    await holds({ records: KEPT.length + 100, deadLetters: ASIDE.length });
  }, 120_000);
  afterAll(async () => {
    sink.kill("SIGTERM");
    await sink.ended();
    await audit[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const holds = async (wanted: {
    readonly records: number;
    readonly deadLetters: number;
  }): Promise<void> => {
    await using reads = await openSqliteReads(store);
    const { records, deadLetters } = wanted;
    await until(
      JSON.stringify(wanted),
      async () => {
        const counts = await reads.counts();
        return counts.records >= records && counts.deadLetters >= deadLetters;
      },
      30_000,
    );
    expect(await reads.counts()).toEqual(wanted);
  };
  const run = async (
    args: readonly string[],
    code = 0,
  ): Promise<{ readonly out: string; readonly lines: readonly Line[] }> => {
    const program = runProgram(["audit", ...args, "--store", store]);
    expect([await program.ended(30_000), program.stderr()]).toEqual([code, ""]);
    return { out: program.stdout(), lines: program.lines };
  };

  it("are kept as they are and listed, each by its schema", async () => {
    const { lines } = await run(["list", "--all", "--json", "--session", "liar"]);
    const records = lines.map((line) => LINE_SCHEMAS.record.parse(line).record);
    expect(records.map(({ n }) => n)).toEqual([1, 2, 2, HUGE, 3, 4, 5, 6, 7]);
    const told = await run(["trace", "perm-lie", "--json"]);
    expect(LINE_SCHEMAS.story.parse(told.lines.at(-1)).story.records).toBe(8);
  });

  it.each([
    [["list", "--all"]],
    [["trace", "perm-lie"]],
    [["trace", "\ufffd"]],
    [["verify"], 1],
    [["gaps"], 1],
    [["dead-letters"]],
  ])("act on no screen by audit %j", async (args, code = 0) => {
    const { out } = await run([...args, "--width", "100"], code);
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("are set aside whole by what is wrong with them when they are none", async () => {
    const { lines } = await run(["dead-letters", "--json"]);
    const letters = lines.map((line) => LINE_SCHEMAS["dead-letter"].parse(line).deadLetter);
    expect(letters.map(({ fault }) => fault)).toEqual(ASIDE.map(([fault]) => fault));
    const bodies = ASIDE.map(([, { body = "{}" }]) => Buffer.from(body).toString("base64"));
    expect(letters.map(({ data }) => data)).toEqual(bodies);
  });

  it("are named by verify, place by place, and leave the chains of others whole", async () => {
    const { lines } = await run(["verify", "--json"], 1);
    const verdicts = lines.map((line) => LINE_SCHEMAS.verified.parse(line).verified);
    expect(verdicts).toMatchObject([
      { session: "honest", records: 100, faults: [] },
      { session: "liar", records: 9 },
    ]);
    expect(verdicts[1]?.faults).toEqual([
      { fault: "chain_broken", n: 2 },
      { fault: "forked", n: 2 },
      ...[3, 4, 5, 6, 7].map((n) => ({ fault: "chain_broken", n })),
      { fault: "missing", fromN: 8, toN: HUGE - 1 },
    ]);
  });
});
