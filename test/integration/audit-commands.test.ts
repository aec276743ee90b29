import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { visibleText } from "../../src/render/visible-text.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { aChain } from "../support/kept-chains.ts";
import { answerEach } from "../support/session-pair.ts";
import { aDeadLetter } from "../support/stored-records.ts";
import { until } from "../support/until.ts";
import { openUpBench, type UpBench } from "../support/up-bench.ts";

let bench: UpBench;
let watch: RunningProgram;
let requestId: string;

beforeAll(async () => {
  bench = await openUpBench();
  watch = bench.run(["watch", "--json"]);
  // A first parent is served until the watcher hears that it is: from then on it hears everything.
  await until(
    "the watcher to hear",
    async () => {
      const herald = await bench.serve("herald", ["--terminal", "deny"]);
      herald.kill("SIGTERM");
      await herald.ended();
      return watch.lines.length > 0;
    },
    20_000,
  );
  const lead = await bench.serve("lead");
  answerEach(lead, () => ({ answer: "deny", reason: "use \u001b[31mstaging" }));
  const ask = bench.run(["ask", "--session", "worker é", "--parent", "lead", "--stdin"]);
  ask.say({ id: "my own id", toolName: "bash", input: { command: "git push" } });
  ask.endInput();
  await ask.ended();
  requestId = requestIdOf(ask.lines[0]);
  const reads = await bench.reads();
  await until(
    "the last record",
    async () => {
      const ends = { event: "audit.stopped", sessionToken: "worker=20=C3=A9" };
      return (await reads.list(ends, 0, 1)).length === 1;
    },
    20_000,
  );
  await until("the parent's decision", async () => {
    const decided = await reads.list({ kind: "decision", requestId }, 0, 9);
    return decided.length === 2;
  });
}, 60_000);
afterAll(async () => bench[Symbol.asyncDispose]());

function requestIdOf(line: Line | undefined): string {
  const requests = (line?.["requests"] ?? []) as readonly { readonly requestId: string }[];
  return requests[0]?.requestId ?? "no outcome";
}

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly lines: readonly Line[];
}

async function ended(args: readonly string[], code = 0): Promise<Ended> {
  const program = bench.run(args);
  expect(await program.ended()).toBe(code);
  return { out: program.stdout(), err: program.stderr(), lines: program.lines };
}

describe("a session that the store does not know", () => {
  it.each(["verify", "gaps"])("is not called whole by audit %s", async (command) => {
    const { out, err } = await ended(["audit", command, "--session", "worker e"], 1);
    expect(out).toBe("");
    expect(err).toContain('no record of session "worker e"');
  });
});

describe("audit trace", () => {
  it("tells an ask's story at a glance, from what was asked to how it ended", async () => {
    const { out, err } = await ended(["audit", "trace", requestId, "--width", "120"]);
    const lines = out.split("\n");
    expect(err).toBe("");
    expect(lines[0]).toContain(requestId);
    expect(lines[1]).toBe("bash: git push");
    expect(lines[2]).toMatch(/^worker é → lead: denied by lead: a person \(stdin\) after /);
    expect(out).toMatch(/worker é {2}asks lead\n/);
    expect(out).toMatch(/ {2}lead .* puts it to a person\n/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("lets nothing of a record act on the screen", async () => {
    const { out } = await ended(["audit", "trace", requestId]);
    expect(out).toContain("use \\x1b[31mstaging");
    expect(out).not.toContain("\u001b");
  });

  it("prints the same as lines, each by its schema, and how it ended last", async () => {
    const { lines } = await ended(["audit", "trace", requestId, "--json"]);
    const records = lines.slice(0, -1).map((line) => LINE_SCHEMAS.record.parse(line).record);
    const { story } = LINE_SCHEMAS.story.parse(lines.at(-1));
    expect(new Set(records.map((record) => record.requestId))).toEqual(new Set([requestId]));
    expect(records[0]).toMatchObject({ session: "worker é", event: "permission_request.waiting" });
    expect(records.at(-1)).toMatchObject({ session: "worker é", kind: "decision" });
    expect(story).toMatchObject({
      requestId,
      result: "deny",
      resolution: "user_denied",
      missing: 0,
      nodes: [
        { session: "worker é", hop: 0 },
        { session: "lead", hop: 1 },
      ],
    });
  });

  it("finds an ask by the id that its line had on standard input", async () => {
    const { out } = await ended(["audit", "trace", "my own id"]);
    expect(out).toBe((await ended(["audit", "trace", requestId])).out);
    const { lines } = await ended(["audit", "list", "--tool-call", "my own id", "--json", "--all"]);
    const sessions = lines.map((line) => LINE_SCHEMAS.record.parse(line).record.session);
    expect(new Set(sessions)).toEqual(new Set(["lead", "worker é"]));
  });

  it("says how many asks of a tool call it does not tell, and how to see them", async () => {
    const file = join(bench.data, "audit", "many.sqlite");
    const chain = aChain("worker");
    const event = "permission_request.waiting";
    const records = Array.from({ length: 1_200 }, (_, k) =>
      chain.say({ event, requestId: `perm-${String(k)}`, body: { toolCallId: "7" } }),
    );
    const store = await openSqliteStore(file);
    await store.append({ records, deadLetters: [] }, 1);
    await store[Symbol.asyncDispose]();
    const told = await ended(["audit", "trace", "7", "--store", file, "--limit", "2"]);
    expect(told.out).toContain("perm-1 ");
    expect(told.out).not.toContain("perm-2 ");
    expect(told.out.trimEnd().split("\n").at(-1)).toBe(
      "2 of the 1200 asks of tool call 7 are told; narrow them with --session, --since and --until, or raise --limit",
    );
    const { lines } = await ended(["audit", "trace", "7", "--store", file, "--json"]);
    expect(LINE_SCHEMAS.stories.parse(lines.at(-1))).toEqual({
      stories: { toolCallId: "7", told: 100, asks: 1_200 },
    });
    const all = await ended(["audit", "trace", "7", "--store", file, "--json", "--limit", "1200"]);
    expect(all.lines.filter((line) => "story" in line).length).toBe(1_200);
    const none = await ended(["audit", "trace", "7", "--store", file, "--session", "lead"], 1);
    expect(none.err).toContain('no record of "7" that --session, --since and --until leave');
  });

  it("says that the store has no such ask", async () => {
    const { err } = await ended(["audit", "trace", "perm-unknown"], 1);
    expect(err).toContain('the store has no record of "perm-unknown"');
  });
});

describe("audit list", () => {
  it("shows the newest records last, one line each, and cuts nothing where no terminal is", async () => {
    const { out } = await ended(["audit", "list", "--request", requestId, "--limit", "3"]);
    const { lines } = await ended([
      "audit",
      "list",
      "--request",
      requestId,
      "--limit",
      "3",
      "--json",
    ]);
    const records = lines.map((line) => LINE_SCHEMAS.record.parse(line).record);
    const told = out.trimEnd().split("\n");
    expect(told.length).toBe(3);
    for (const [place, { what }] of records.entries()) {
      expect(told[place]).toContain(visibleText(what));
      expect(told[place]).toContain(requestId);
    }
    expect(Math.max(...told.map((line) => line.length))).toBeGreaterThan(120);
  });

  it("shows the same over more lines where less columns are told", async () => {
    const args = ["audit", "list", "--request", requestId];
    const { out } = await ended([...args, "--width", "60"]);
    const lines = out.trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    const words = (text: string): string => text.replaceAll(/\s+/g, "");
    expect(words(out)).toBe(words((await ended(args)).out));
  });

  it("finds by session, kind, event and time", async () => {
    const found = "--session,worker é,--kind,review,--since,1h,--until,2099-01-01".split(",");
    const event = "forwarded_permission.response_received";
    const { lines } = await ended(["audit", "list", "--json", "--all", ...found, "--event", event]);
    expect(lines.map((line) => LINE_SCHEMAS.record.parse(line).record)).toMatchObject([
      { session: "worker é", body: { denialReason: "use \u001b[31mstaging" } },
    ]);
  });

  it("says that no record fits what was asked for, and prints no line of it", async () => {
    const none = ["audit", "list", "--session", "nobody"];
    expect((await ended(none)).out).toBe("no record fits\n");
    expect((await ended([...none, "--json"])).out).toBe("");
  });

  it.each([
    [["--since", "yesterday"], '--since is "yesterday"'],
    [["--kind", "gossip"], '--kind "gossip" is none'],
    [["--store", "/nowhere/records.sqlite"], "/nowhere/records.sqlite is not there"],
  ])("names what is wrong with %j", async (args, message) => {
    const { err } = await ended(["audit", "list", ...args], 1);
    expect(err).toContain(message);
  });
});

describe("watch", () => {
  it("showed the prompt and both decisions as they happened", async () => {
    await until(
      "both decisions",
      () => kindsOf(watch).filter((k) => k === "decision").length === 2,
    );
    expect(kindsOf(watch)).toContain("ready");
    expect(kindsOf(watch)).toContain("ui_prompt");
    const events = watch.lines.map((line) => LINE_SCHEMAS.event.parse(line).event);
    expect(new Set(events.map(({ session }) => session))).toEqual(
      new Set(["herald", "lead", "worker é"]),
    );
    watch.kill("SIGTERM");
    expect(await watch.ended()).toBe(0);
  });
});

it("watch refuses a kind of event that no session publishes", async () => {
  const { err } = await ended(["watch", "--kind", "gossip"], 1);
  expect(err).toContain('--kind "gossip" is none; use ui_prompt, decision, ready');
});

describe("audit verify", () => {
  it("counts one session as one", async () => {
    const { out } = await ended(["audit", "verify", "--session", "lead"]);
    expect(out).toMatch(/ of 1 session: nothing is wrong\n$/);
  });

  it("finds nothing wrong, and says of what", async () => {
    const { out } = await ended(["audit", "verify"]);
    expect(out).toMatch(/^ok {4}lead /m);
    expect(out).toMatch(/records of 3 sessions: nothing is wrong\n$/);
    expect((await ended(["audit", "gaps"])).out).toBe("no record is missing\n");
    expect((await ended(["audit", "dead-letters"])).out).toBe("no message was set aside\n");
  });

  it("names the broken place of a store that somebody changed, and exits 1", async () => {
    const file = join(bench.data, "audit", "copy.sqlite");
    const source = new DatabaseSync(join(bench.data, "audit", "records.sqlite"));
    source.exec(`VACUUM INTO '${file}'`);
    source.close();
    const copy = new DatabaseSync(file);
    copy.exec("DELETE FROM record WHERE session = 'lead' AND n = 2");
    copy.exec("UPDATE record SET body = x'7b7d' WHERE session LIKE 'worker%' AND n = 3");
    copy.close();
    const verify = await ended(["audit", "verify", "--store", file], 1);
    expect(verify.out).toContain("records 2 to 2 are missing");
    expect(verify.out).toContain("the body of record 3 is not the one its header was made for");
    const lines = (await ended(["audit", "verify", "--store", file, "--json"], 1)).lines;
    const verified = lines.filter((line) => "verified" in line);
    expect(verified.map((line) => LINE_SCHEMAS.verified.parse(line).verified)).toMatchObject([
      { session: "herald", faults: [] },
      { session: "lead", faults: [{ fault: "missing", fromN: 2, toN: 2 }] },
      {
        session: "worker é",
        faults: [{ fault: "body_changed", n: 3 }, { fault: "columns_differ" }],
      },
    ]);
    const gaps = await ended(["audit", "gaps", "--store", file, "--json"], 1);
    expect(LINE_SCHEMAS.gap.parse(gaps.lines[0])).toEqual({
      gap: { session: "lead", fromN: 2, toN: 2 },
    });
    expect(LINE_SCHEMAS["store-fault"].parse(gaps.lines[1])).toMatchObject({
      storeFault: { fault: "removed", from: "records" },
    });
  });

  it("names the place in the store where a session's newest record or a stray was removed", async () => {
    const file = join(bench.data, "audit", "cut.sqlite");
    const store = await openSqliteStore(file);
    const chain = aChain("worker");
    const records = [1, 2, 3].map(() => chain.say({ event: "audit.started" }));
    const strays = ["a", "b"].map((data) => aDeadLetter({ data: Buffer.from(data) }));
    await store.append({ records, deadLetters: strays }, 1);
    await store[Symbol.asyncDispose]();
    const cut = new DatabaseSync(file);
    cut.exec("DELETE FROM record WHERE n = 3; UPDATE dead_letter SET data = x'00' WHERE place = 2");
    cut.close();
    const verify = await ended(["audit", "verify", "--store", file], 1);
    expect(verify.out.split("\n")).toEqual([
      "ok    worker                    1 to 2, 2 records",
      "FAIL  the record at place 3 of the store, counted as they came, was removed",
      "FAIL  the set-aside message at place 2 is not the one that came",
      "2 records of 1 session: 2 faults; 2 messages were set aside",
      "",
    ]);
    const gaps = await ended(["audit", "gaps", "--store", file], 1);
    expect(gaps.out).toContain("place 3 of the store");
  });
});

function kindsOf(program: RunningProgram): readonly string[] {
  return program.lines.map((line) => LINE_SCHEMAS.event.parse(line).event.kind);
}
