import { describe, expect, it } from "vitest";
import {
  type SessionVerdict,
  type StoreFault,
  verifyRows,
  verifyStore,
} from "../../../src/audit/verify.ts";
import { aChain, aKeptStore, type KeptStore } from "../../support/kept-chains.ts";
import { aDeadLetter } from "../../support/stored-records.ts";

async function verdicts(kept: KeptStore, only?: string): Promise<readonly SessionVerdict[]> {
  const found: SessionVerdict[] = [];
  for await (const verdict of verifyStore(kept.store, only)) found.push(verdict);
  return found;
}

/** Keeps so many records of a session, in any order, without some of them. */
async function keepChain(
  kept: KeptStore,
  session: string,
  count: number,
  without: readonly number[] = [],
): Promise<void> {
  const chain = aChain(session);
  const records = Array.from({ length: count }, () => chain.say({ event: "audit.started" }));
  await kept.keep(...records.filter(({ n }) => !without.includes(n)).toReversed());
}

async function faultsOf(kept: KeptStore): Promise<readonly unknown[]> {
  return (await verdicts(kept)).flatMap(({ faults }) => faults);
}

describe("verifying a store", () => {
  it("finds nothing wrong with whole chains of several sessions, longer than a page", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker é", 1_205);
    await keepChain(kept, "lead", 3);
    const [lead, worker] = await verdicts(kept);
    expect(lead).toMatchObject({ session: "lead", records: 3, firstN: 1, lastN: 3, faults: [] });
    expect(worker).toMatchObject({ session: "worker é", records: 1_205, lastN: 1_205, faults: [] });
    expect(lead?.hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await verdicts(kept, "lead")).toEqual([lead]);
  });

  it("names records that are missing, at the beginning too", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 9, [1, 4, 5]);
    expect(await faultsOf(kept)).toEqual([
      { fault: "missing", fromN: 1, toN: 1 },
      { fault: "missing", fromN: 4, toN: 5 },
    ]);
  });

  it("names a body that was changed", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 4);
    kept.tamper(
      `UPDATE record SET body = CAST('{"event":"audit.started","x":1}' AS BLOB) WHERE n = 2`,
    );
    expect(await faultsOf(kept)).toEqual([{ fault: "body_changed", n: 2 }]);
  });

  it("names the record behind a header that was changed", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 4);
    kept.tamper(
      `UPDATE record SET header = CAST(replace(CAST(header AS TEXT), '"1.a"', '"2.b"') AS BLOB) WHERE n = 2`,
    );
    expect(await faultsOf(kept)).toEqual([{ fault: "chain_broken", n: 3 }]);
  });

  it("names a record that was put in the place of another", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 4, [3]);
    const forged = aChain("worker");
    const records = [1, 2, 3].map(() => forged.say({ event: "audit.started" }));
    await kept.keep(...records.slice(2));
    expect(await faultsOf(kept)).toEqual([
      { fault: "chain_broken", n: 3 },
      { fault: "chain_broken", n: 4 },
    ]);
  });

  it("names two records under one number", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 3);
    const other = aChain("worker");
    other.say({});
    await kept.keep(other.say({ event: "audit.started" }));
    expect(await faultsOf(kept)).toContainEqual({ fault: "forked", n: 2 });
  });

  it("finds nothing wrong with names that hold NUL, and finds them by those names", async () => {
    await using kept = await aKeptStore();
    const chain = aChain("worker");
    const body = { toolCallId: "call\u00001", wireId: "\u0000" };
    await kept.keep(chain.say({ event: "audit\u0000started", requestId: "perm\u00001", body }));
    expect(await faultsOf(kept)).toEqual([]);
    const filter = { requestId: "perm\u00001", toolCallId: "call\u00001" };
    const [found] = await kept.store.list(filter, 0, 10);
    // Readers that end a text at its first NUL read the same.
    expect(found).toMatchObject({ requestId: "perm\ufffd1", toolCallId: "call\ufffd1" });
    expect(await kept.store.story(["perm\u00001"])).toHaveLength(1);
  });

  it.each([
    "request_id = 'perm-2'",
    "wire_id = 'perm-2'",
    "tool_call_id = NULL",
    "kind = 'gossip'",
    "kind = 'decision'",
    "event = NULL",
    "time = time + 1",
    "event_id = zeroblob(16)",
  ])("names a record that is filed under other values than its bytes hold: %s", async (change) => {
    await using kept = await aKeptStore();
    const chain = aChain("worker");
    const body = { toolCallId: "call-1" };
    await kept.keep(...[1, 2].map(() => chain.say({ event: "audit.started", body })));
    kept.tamper(`UPDATE record SET ${change} WHERE n = 1`);
    expect(await faultsOf(kept)).toEqual([{ fault: "columns_differ", n: 1 }]);
  });

  it("names both records that were swapped between two sessions", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "lead", 3);
    await keepChain(kept, "worker", 3);
    kept.tamper(`CREATE TEMP TABLE swapped AS SELECT * FROM record WHERE n = 2;
      UPDATE record SET (header, salt, body) = (
        SELECT header, salt, body FROM swapped WHERE swapped.session <> record.session
      ) WHERE n = 2`);
    const faults = [
      { fault: "chain_broken", n: 2 },
      { fault: "columns_differ", n: 2 },
      { fault: "chain_broken", n: 3 },
    ];
    expect(await verdicts(kept)).toMatchObject([
      { sessionToken: "lead", faults },
      { sessionToken: "worker", faults },
    ]);
  });

  it("names a row that was moved to another session, and the place it left", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "lead", 3);
    await keepChain(kept, "worker", 3);
    kept.tamper("UPDATE record SET session = 'lead' WHERE session = 'worker' AND n = 2");
    expect(await verdicts(kept)).toMatchObject([
      {
        sessionToken: "lead",
        faults: [{ fault: "forked", n: 2 }, { fault: "columns_differ" }, { fault: "chain_broken" }],
      },
      { sessionToken: "worker", faults: [{ fault: "missing", fromN: 2, toN: 2 }] },
    ]);
  });

  it("names a row that was doubled under a new event id", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 3);
    kept.tamper(`INSERT INTO record
      SELECT 99, randomblob(16), session, n, kind, event, request_id, wire_id, tool_call_id, time,
        header, salt, body, sequence, taken_at, kept_at FROM record WHERE n = 2`);
    expect(await faultsOf(kept)).toEqual([
      { fault: "forked", n: 2 },
      { fault: "columns_differ", n: 2 },
    ]);
  });

  it.each([
    [
      "the body's first byte among the salt's",
      "salt = CAST(salt || substr(body, 1, 1) AS BLOB), body = substr(body, 2)",
    ],
    ["the body gone and the salt left", "body = NULL"],
    ["the salt gone and the body left", "salt = NULL"],
  ])("names a record with %s", async (_what, change) => {
    await using kept = await aKeptStore();
    const chain = aChain("worker");
    await kept.keep(...[1, 2].map(() => chain.say({ kind: "ui_prompt" })));
    kept.tamper(`UPDATE record SET ${change} WHERE n = 1`);
    expect(await faultsOf(kept)).toEqual([{ fault: "body_changed", n: 1 }]);
  });

  it.each([1e18, -1e300, 1e308])("finds nothing wrong with a clock that says %d", async (time) => {
    await using kept = await aKeptStore();
    const chain = aChain("worker");
    await kept.keep(chain.say({ time }), chain.say({ time: -time }), chain.say({ time: 5 }));
    expect(await faultsOf(kept)).toEqual([]);
    expect((await kept.store.list({ since: 5, until: 5 }, 0, 9)).map(({ n }) => n)).toEqual([3]);
  });

  it("names a number that is larger than any this program writes, and the rows beside it", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 3);
    kept.tamper("UPDATE record SET time = 9223372036854775807 WHERE n = 2");
    expect(await verdicts(kept)).toMatchObject([
      { records: 3, faults: [{ fault: "columns_differ", n: 2 }] },
    ]);
  });

  it("finds nothing wrong with a text that cannot be written as UTF-8", async () => {
    await using kept = await aKeptStore();
    const chain = aChain("worker");
    const body = { toolCallId: "call \ud800", wireId: "\u0000" };
    await kept.keep(chain.say({ event: "audit.started", body }));
    expect(await faultsOf(kept)).toEqual([]);
  });

  it("ends with the way out where a table is not what this program made", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 1);
    kept.tamper("ALTER TABLE record RENAME COLUMN body TO corpse");
    await expect(verdicts(kept)).rejects.toMatchObject({
      code: "store_corrupt",
      message: expect.stringContaining("no such column: body") as string,
    });
  });

  it("names a header that cannot be read", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 2);
    kept.tamper("UPDATE record SET header = x'00' WHERE n = 2");
    expect(await faultsOf(kept)).toEqual([{ fault: "header_unreadable", n: 2 }]);
  });

  it("counts bodies that were erased, whose chain still holds", async () => {
    await using kept = await aKeptStore();
    await keepChain(kept, "worker", 3);
    kept.tamper("UPDATE record SET body = NULL, salt = NULL WHERE n = 2");
    expect(await verdicts(kept)).toMatchObject([{ erased: 1, faults: [] }]);
  });
});

/** Keeps so many records of two sessions, each after one that comes again, and as many stray messages. */
async function keepAll(kept: KeptStore, count: number): Promise<void> {
  for (const session of ["lead", "worker"]) {
    const chain = aChain(session);
    for (let k = 0; k < count; k += 1) {
      const record = chain.say({ event: "audit.started" });
      const letter = aDeadLetter({ data: Buffer.from(`${session} ${String(k)}`) });
      const batch = { records: [record, record], deadLetters: [letter, letter] };
      await kept.store.append(batch, 1);
      await kept.store.append(batch, 2);
    }
  }
}

async function rowFaults(kept: KeptStore): Promise<readonly StoreFault[]> {
  const found: StoreFault[] = [];
  for await (const fault of verifyRows(kept.store)) found.push(fault);
  return found;
}

describe("verifying the rows of a store", () => {
  it("finds none missing although everything came more than once", async () => {
    await using kept = await aKeptStore();
    expect(await rowFaults(kept)).toEqual([]);
    await keepAll(kept, 3);
    expect(await rowFaults(kept)).toEqual([]);
  });

  it.each([
    ["the newest record of a session", "session = 'lead' AND n = 3", 3, 3],
    ["a whole session", "session = 'lead'", 1, 3],
    ["the newest records of all", "place >= 5", 5, 6],
    ["every record", "true", 1, 6],
  ])("names the places of %s when it was removed", async (_, which, fromPlace, toPlace) => {
    await using kept = await aKeptStore();
    await keepAll(kept, 3);
    kept.tamper(`DELETE FROM record WHERE ${which}`);
    const removed = [{ fault: "removed", from: "records", fromPlace, toPlace }];
    expect(await rowFaults(kept)).toEqual(removed);
    const chain = aChain("later");
    await kept.keep(chain.say({}), chain.say({}));
    expect(await rowFaults(kept)).toEqual(removed);
  });

  it("names a message that was set aside and is gone", async () => {
    await using kept = await aKeptStore();
    await keepAll(kept, 2);
    kept.tamper("DELETE FROM dead_letter WHERE place IN (2, 4)");
    expect(await rowFaults(kept)).toEqual([
      { fault: "removed", from: "dead_letters", fromPlace: 2, toPlace: 2 },
      { fault: "removed", from: "dead_letters", fromPlace: 4, toPlace: 4 },
    ]);
  });

  it.each([
    "data = x'00'",
    "subject = 'af.v1.crew.audit.other.review'",
    `headers = '{"Nats-Msg-Id":["id-2"]}'`,
    "headers = 'no JSON at all'",
    "digest = randomblob(32)",
  ])("names a message that was set aside and is not as it came: %s", async (change) => {
    await using kept = await aKeptStore();
    await keepAll(kept, 2);
    kept.tamper(`UPDATE dead_letter SET ${change} WHERE place = 3`);
    expect(await rowFaults(kept)).toEqual([{ fault: "dead_letter_changed", place: 3 }]);
  });

  it("knows nothing of what was removed before the file counted its rows", async () => {
    await using kept = await aKeptStore();
    await keepAll(kept, 3);
    kept.tamper(`DELETE FROM record WHERE place = 2;
      UPDATE store SET first_record = last_record + 1`);
    expect(await rowFaults(kept)).toEqual([]);
    await keepAll(kept, 2);
    kept.tamper("DELETE FROM record WHERE place = 8");
    expect(await rowFaults(kept)).toMatchObject([{ fromPlace: 8, toPlace: 8 }]);
  });
});
