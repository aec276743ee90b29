import { describe, expect, it } from "vitest";
import { REVIEW_EVENTS } from "../../../src/ask/record.ts";
import { describeEntry } from "../../../src/audit/describe-entry.ts";
import type { ReadableRecord } from "../../../src/audit/read-record.ts";
import { findAsks, type Narrowing, type Story, storyOf } from "../../../src/audit/story.ts";
import type { AuditReads } from "../../../src/store/store.ts";
import { aChain, aKeptStore, anAllowedAsk } from "../../support/kept-chains.ts";

/** The stories of every ask that an id names. */
async function findStories(
  reads: AuditReads,
  id: string,
  narrowing?: Narrowing,
): Promise<readonly Story[]> {
  const asks = await findAsks(reads, id, narrowing);
  return (await Promise.all(asks.map(async (ask) => storyOf(reads, ask)))).filter(
    (story) => story !== null,
  );
}

/** The order of a story as `session n`. */
const orderOf = (story: Story | undefined): readonly string[] =>
  story?.entries.map(({ record }) => `${record.head.session} ${String(record.head.n)}`) ?? [];

const ALLOWED = [
  "worker 1",
  "worker 2",
  "lead 1",
  "worker 3",
  "lead 2",
  "lead 3",
  "lead 4",
  "lead 5",
  "worker 4",
  "worker 5",
  "worker 6",
];

describe("an ask's story", () => {
  it("stands in the order of cause over both sessions, whatever order records came in", async () => {
    await using kept = await aKeptStore();
    const { worker, lead } = anAllowedAsk();
    await kept.keep(...lead.toReversed(), ...worker.toReversed());
    const [story] = await findStories(kept.store, "perm-1");
    expect(orderOf(story)).toEqual(ALLOWED);
    expect(story?.nodes.map(({ session, hop }) => [session, hop])).toEqual([
      ["worker", 0],
      ["lead", 1],
    ]);
    expect(story?.missing).toBe(0);
  });

  it.each([-90_000, 90_000])(
    "does not depend on a clock that is %d ms off, which is measured",
    async (off) => {
      await using kept = await aKeptStore();
      const { worker, lead } = anAllowedAsk({ lead: off });
      await kept.keep(...worker, ...lead);
      const [story] = await findStories(kept.store, "perm-1");
      expect(orderOf(story)).toEqual(ALLOWED);
      expect(story?.nodes[1]).toMatchObject({ skewMs: off, withinMs: 10 });
      expect(story?.entries.map(({ at }) => at)).toEqual([
        0, 0, 10, 20, 15, 15, 4_030, 4_030, 4_040, 4_040, 4_041,
      ]);
      // Of two steps that went on at the same time, each is measured from what caused it.
      expect(story?.entries.map(({ took }) => took)).toEqual([
        0, 0, 10, 10, 5, 0, 4_015, 0, 10, 0, 1,
      ]);
    },
  );

  it("says how the session that asked first ended it, and by whom", async () => {
    await using kept = await aKeptStore();
    const { worker, lead } = anAllowedAsk();
    await kept.keep(...worker, ...lead);
    const [story] = await findStories(kept.store, "perm-1");
    expect(story?.ending?.head.n).toBe(6);
    expect(story?.entries.map(({ record }) => describeEntry(record))).toEqual([
      "waits for somebody (the default asks)",
      "asks lead",
      "takes the ask of worker (reviewer)",
      "lead has it (human)",
      "puts it to a person",
      "shown to a person",
      "allows it; by a person (stdin)",
      "decision: allow",
      "hears from lead: approved; by a person (stdin)",
      "approved; by lead: a person (stdin)",
      "decision: allow; by lead: a person (stdin)",
    ]);
  });

  it("is found by the id on the wire and by the id of the tool call", async () => {
    await using kept = await aKeptStore();
    const worker = aChain("worker");
    const lead = aChain("lead");
    await kept.keep(
      worker.say({
        requestId: "odd id",
        event: "permission_request.waiting",
        body: { toolCallId: "c" },
      }),
      worker.say({
        requestId: "odd id",
        event: "forwarded_permission.request_created",
        body: { wireId: "perm-9", targetSessionId: "lead" },
      }),
      lead.say({
        requestId: "perm-9",
        event: "forwarded_permission.auto_denied",
        body: { requesterSessionId: "worker" },
      }),
    );
    const expected = ["worker 1", "worker 2", "lead 1"];
    for (const id of ["odd id", "perm-9", "c"]) {
      expect(orderOf((await findStories(kept.store, id))[0])).toEqual(expected);
    }
    expect(await findStories(kept.store, "perm-unknown")).toEqual([]);
  });

  it("is one of many of its tool call, in the order they came, which session and time narrow", async () => {
    await using kept = await aKeptStore();
    const [worker, other] = [aChain("worker"), aChain("other")];
    const body = { toolCallId: "7" };
    const event = "permission_request.waiting";
    const asked = Array.from({ length: 1_500 }, (_, k) => `perm-${String(k)}`);
    await kept.keep(
      ...asked.map((requestId, k) => worker.say({ event, requestId, body, time: k })),
      ...asked.map((requestId) => worker.say({ kind: "decision", requestId, time: 5_000 })),
      other.say({ event, requestId: "perm-other", body, time: 3 }),
    );
    expect(await findAsks(kept.store, "7")).toEqual([...asked, "perm-other"]);
    expect(await findAsks(kept.store, "7", { sessionToken: "other" })).toEqual(["perm-other"]);
    expect(await findAsks(kept.store, "7", { since: 1_498 })).toEqual(["perm-1498", "perm-1499"]);
    expect(await findAsks(kept.store, "7", { sessionToken: "nobody" })).toEqual([]);
    expect(orderOf((await findStories(kept.store, "perm-9"))[0])).toEqual([
      "worker 10",
      "worker 1510",
    ]);
  });

  it("is told whole when a session wrote many thousands of records under its id", async () => {
    await using kept = await aKeptStore();
    const [worker, lead] = [aChain("worker"), aChain("lead")];
    const body = { targetSessionId: "lead", requesterSessionId: "worker" };
    const event = "forwarded_permission.accepted";
    const many = Array.from({ length: 20_000 }, () => worker.say({ event, body }));
    await kept.keep(...many, lead.say({ event: "forwarded_permission.prompted", body }));
    const [story] = await findStories(kept.store, "perm-1");
    expect(story?.entries.length).toBe(20_001);
    expect(orderOf(story).slice(-2)).toEqual(["worker 20000", "lead 1"]);
    expect(story?.missing).toBe(0);
  });

  it.each([1e18, -1e300, 1e308])("is told when a record's clock says %d", async (time) => {
    await using kept = await aKeptStore();
    const worker = aChain("worker");
    const event = "permission_request.waiting";
    await kept.keep(worker.say({ event, time }), worker.say({ kind: "decision", time: -time }));
    const [story] = await findStories(kept.store, "perm-1");
    expect(story?.entries.length).toBe(2);
    expect(story?.entries.every(({ at, took }) => Number.isFinite(at + took))).toBe(true);
  });

  it("goes down a relay and back, each hop deeper", async () => {
    await using kept = await aKeptStore();
    const [c, p, g] = [aChain("c"), aChain("p"), aChain("g")];
    await kept.keep(
      c.say({ event: "forwarded_permission.request_created", body: { targetSessionId: "p" } }),
      c.say({ event: "forwarded_permission.response_received", body: { targetSessionId: "p" } }),
      p.say({ event: "forwarded_permission.accepted", body: { requesterSessionId: "c" } }),
      p.say({ event: "forwarded_permission.request_created", body: { targetSessionId: "g" } }),
      p.say({ event: "forwarded_permission.response_received", body: { targetSessionId: "g" } }),
      p.say({ event: "forwarded_permission.approved", body: { requesterSessionId: "c" } }),
      g.say({ event: "forwarded_permission.accepted", body: { requesterSessionId: "p" } }),
      g.say({ event: "forwarded_permission.approved", body: { requesterSessionId: "p" } }),
    );
    const [story] = await findStories(kept.store, "perm-1");
    expect(orderOf(story)).toEqual(["c 1", "p 1", "p 2", "g 1", "g 2", "p 3", "p 4", "c 2"]);
    expect(story?.nodes.map(({ hop }) => hop)).toEqual([0, 1, 2]);
  });

  it("puts what a child heard of each process of its parent after what that process did", async () => {
    await using kept = await aKeptStore();
    const [c, p] = [aChain("c"), aChain("p")];
    const took = { event: "forwarded_permission.accepted", body: { requesterSessionId: "c" } };
    const heard = (incarnation: string, time: number): Parameters<typeof c.say>[0] => ({
      event: "forwarded_permission.accepted",
      body: { targetSessionId: "p", incarnation },
      time,
    });
    await kept.keep(
      c.say({ event: "forwarded_permission.request_created", body: { targetSessionId: "p" } }),
      c.say(heard("1.a", 30)),
      c.say(heard("2.b", 7_030)),
      p.say({ ...took, time: 10 }),
      p.say({ event: "forwarded_permission.prompted", time: 20 }),
      p.say({ ...took, incarnation: "2.b", time: 7_010 }),
      p.say({ event: "forwarded_permission.prompted", incarnation: "2.b", time: 7_020 }),
    );
    const [story] = await findStories(kept.store, "perm-1");
    expect(orderOf(story)).toEqual(["c 1", "p 1", "c 2", "p 2", "p 3", "c 3", "p 4"]);
    expect(story?.entries.filter(({ took: ms }) => ms < 0)).toEqual([]);
  });

  it("shows a parent's end after the child gave up by itself, and says what it is", async () => {
    await using kept = await aKeptStore();
    const [c, p] = [aChain("c"), aChain("p")];
    await kept.keep(
      c.say({ event: "forwarded_permission.request_created", body: { targetSessionId: "p" } }),
      c.say({
        event: "forwarded_permission.response_timed_out",
        body: { targetSessionId: "p", lost: "timed_out" },
      }),
      c.say({ event: "permission_request.blocked", body: { lost: "timed_out" } }),
      p.say({ event: "forwarded_permission.accepted", body: { requesterSessionId: "c" } }),
      p.say({ event: "forwarded_permission.late_decision", body: { why: "withdrawn" } }),
    );
    const [story] = await findStories(kept.store, "perm-1");
    expect(orderOf(story).at(-1)).toBe("p 2");
    expect(story?.ending).toBeNull();
  });

  it("shows what one session alone kept, one hop from whoever asked it", async () => {
    await using kept = await aKeptStore();
    const { lead } = anAllowedAsk();
    await kept.keep(...lead.slice(1, 2), ...lead.slice(3));
    const [story] = await findStories(kept.store, "perm-1");
    expect(orderOf(story)).toEqual(["lead 2", "lead 4", "lead 5"]);
    expect(story?.nodes).toMatchObject([{ session: "lead", hop: 1, skewMs: null }]);
    expect(story?.missing).toBe(1);
  });

  it("is shown whole even when its records contradict each other", async () => {
    await using kept = await aKeptStore();
    const [a, b] = [aChain("a"), aChain("b")];
    await kept.keep(
      a.say({ event: "forwarded_permission.request_created", body: { targetSessionId: "b" } }),
      b.say({ event: "forwarded_permission.request_created", body: { targetSessionId: "a" } }),
      a.say({ event: "forwarded_permission.response_received", body: { targetSessionId: "b" } }),
      b.say({ event: "forwarded_permission.response_received", body: { targetSessionId: "a" } }),
    );
    const [story] = await findStories(kept.store, "perm-1");
    expect(orderOf(story).toSorted()).toEqual(["a 1", "a 2", "b 1", "b 2"]);
  });

  it("tells where an ask goes that has moved on to the next parent", () => {
    const content = { targetSessionId: "lead", nextSessionId: "spare" };
    const tell = (event: string): string => {
      const record = { head: { kind: "review" }, content: { event, ...content } };
      return describeEntry(record as unknown as ReadableRecord);
    };
    expect(tell("forwarded_permission.no_serving_session")).toBe(
      "nobody serves lead; goes to spare instead",
    );
    expect(tell("permission_forwarding.warning")).toContain("; goes to spare instead");
  });

  it("is told of records that no program of this product writes", async () => {
    await using kept = await aKeptStore();
    const other = aChain("other");
    const events = ["constructor", "__proto__", "toString", "operator.answered"];
    const bodies = ["__proto__", "constructor"].map((op) => ({ op, links: [{ toString: 1 }] }));
    await kept.keep(
      ...events.flatMap((event) => bodies.map((body) => other.say({ event, body }))),
      other.say({
        event: "authorizer_chain_resolved",
        body: { links: [{ toString: 1 }, "a", []] },
      }),
    );
    const [story] = await findStories(kept.store, "perm-1");
    const told = story?.entries.map(({ record, step }) => [step, describeEntry(record)]);
    expect(told).toEqual([
      ...["constructor", "__proto__", "toString"].flatMap((event) => [
        ["after", event],
        ["after", event],
      ]),
      ["after", "operator unknown was answered"],
      ["after", "operator unknown was answered"],
      ["judged", "asks its links: a"],
    ]);
  });

  it.each(REVIEW_EVENTS)("tells of %s in a sentence, not by its name", (event) => {
    const record = { head: { kind: "review" }, content: { event } };
    const sentence = describeEntry(record as unknown as ReadableRecord);
    expect(sentence).toMatch(/^[a-z][^_]* ?/);
    expect(sentence).not.toContain(event);
    expect(sentence).not.toMatch(/[a-z][._][a-z]/);
  });
});
