import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditStore, NewRecord } from "../../src/store/store.ts";
import { aDeadLetter, aStorable } from "../support/stored-records.ts";

/** A place for stores of one kind. */
export interface StorePlace extends AsyncDisposable {
  /** Opens the store there; the same one each time. */
  open(): Promise<AuditStore>;
}

/** Bytes as numbers, whatever class of array holds them. */
function plain(bytes: Uint8Array | null | undefined): readonly number[] {
  return [...(bytes ?? [])];
}

/** What every audit store has to do. */
export function storeSuite(kind: string, makePlace: () => Promise<StorePlace>): void {
  describe(`an audit store of ${kind}`, () => {
    let place: StorePlace;
    let store: AuditStore;
    beforeEach(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    });

    const append = async (...records: NewRecord[]): ReturnType<AuditStore["append"]> =>
      store.append({ records, deadLetters: [] }, 2_000);

    it("gives header, salt and body back to the byte, with what they are found by", async () => {
      const record = aStorable({
        requestId: "perm-1",
        kind: "decision",
        event: null,
        n: 7,
        time: 1_234.4,
        body: Buffer.from([0xff, 0, 1]),
      });
      expect(await append(record)).toEqual({ kept: 1, duplicates: 0, deadLetters: 0 });
      const [found] = await store.list({}, 0, 10);
      expect(found).toMatchObject({
        place: 1,
        eventId: record.eventId,
        sessionToken: "worker",
        n: 7,
        kind: "decision",
        event: null,
        requestId: "perm-1",
        time: 1_234,
        takenAt: 1_000,
        keptAt: 2_000,
      });
      const bytes = [found?.header, found?.salt, found?.body].map(plain);
      expect(bytes).toEqual([record.header, record.salt, record.body].map(plain));
    });

    it("keeps an event id once, in one batch and in two", async () => {
      const record = aStorable();
      expect(await append(record, record)).toMatchObject({ kept: 1, duplicates: 1 });
      expect(await append(record)).toEqual({ kept: 0, duplicates: 1, deadLetters: 0 });
      expect(await store.counts()).toEqual({ records: 1, deadLetters: 0 });
    });

    it("keeps two records from one place of the stream", async () => {
      await append(aStorable({ n: 1 }), aStorable({ n: 2 }));
      expect((await store.counts()).records).toBe(2);
    });

    it("sets another record aside that comes under a known event id", async () => {
      const record = aStorable();
      await append(record);
      const other = aStorable({ eventId: record.eventId, n: 2 });
      expect(await append(other)).toEqual({ kept: 0, duplicates: 0, deadLetters: 1 });
      expect(await append(other)).toEqual({ kept: 0, duplicates: 0, deadLetters: 0 });
      expect(await store.deadLetters(0, 10)).toMatchObject([{ fault: "event_id_conflict" }]);
      expect((await store.list({}, 0, 10)).map(({ n }) => n)).toEqual([1]);
    });

    it("keeps messages that are no records whole, each once", async () => {
      const letter = aDeadLetter({
        data: Buffer.from([0xff, 0xfe]),
        subject: "af.v1.crew.audit.x.y",
      });
      const batch = { records: [aStorable()], deadLetters: [letter, letter] };
      expect(await store.append(batch, 2_000)).toEqual({ kept: 1, duplicates: 0, deadLetters: 1 });
      expect((await store.append(batch, 3_000)).deadLetters).toBe(0);
      const [found] = await store.deadLetters(0, 10);
      expect(found).toMatchObject({
        place: 1,
        fault: "body_malformed",
        keptAt: 2_000,
        message: { subject: "af.v1.crew.audit.x.y", sequence: 1, takenAt: 1_000 },
      });
      expect(found?.message.headers()).toEqual({ "Nats-Msg-Id": ["id-1"] });
      expect(plain(found?.message.data)).toEqual([0xff, 0xfe]);
      expect(await store.deadLetters(1, 10)).toEqual([]);
    });

    it("keeps nothing of a batch of which a part cannot be written", async () => {
      const broken = { ...aStorable(), n: Number.NaN };
      await expect(append(aStorable(), broken)).rejects.toThrow("NOT NULL");
      expect(await store.counts()).toEqual({ records: 0, deadLetters: 0 });
      expect((await append(aStorable())).kept).toBe(1);
    });

    it("has its id and its records when it is opened again", async () => {
      await append(aStorable());
      const { id } = store;
      await store[Symbol.asyncDispose]();
      store = await place.open();
      expect(store.id).toBe(id);
      expect(id).toMatch(/^[A-Za-z0-9]+$/);
      expect((await store.counts()).records).toBe(1);
    });

    it("lists forth and back in the order records came, by pages", async () => {
      for (let n = 1; n <= 5; n += 1) await append(aStorable({ n }));
      const forth = await store.list({}, 2, 2);
      expect(forth.map(({ n }) => n)).toEqual([3, 4]);
      const back = await store.listBack({}, Number.MAX_SAFE_INTEGER, 2);
      expect(back.map(({ n }) => n)).toEqual([5, 4]);
      expect((await store.listBack({}, 4, 9)).map(({ n }) => n)).toEqual([3, 2, 1]);
    });

    it.each([
      [{ sessionToken: "lead" }, [2]],
      [{ requestId: "perm-1" }, [1, 3]],
      [{ requestId: "wire-1" }, [3]],
      [{ toolCallId: "call-1" }, [4]],
      [{ kind: "decision" }, [4]],
      [{ event: "permission_request.denied" }, [3]],
      [{ since: 30, until: 40 }, [3, 4]],
      [{ requestId: "perm-1", since: 20 }, [3]],
      [{ requestId: "perm-2" }, []],
    ] as const)("finds by %j", async (filter, expected) => {
      await append(
        aStorable({ n: 1, time: 10, requestId: "perm-1" }),
        aStorable({ n: 2, time: 20, sessionToken: "lead" }),
        aStorable({
          n: 3,
          time: 30,
          requestId: "perm-1",
          wireId: "wire-1",
          event: "permission_request.denied",
        }),
        aStorable({ n: 4, time: 40, kind: "decision", event: null, toolCallId: "call-1" }),
      );
      expect((await store.list(filter, 0, 10)).map(({ n }) => n)).toEqual(expected);
    });

    it("tells an ask's story over all sessions, in the order of each chain", async () => {
      await append(
        aStorable({ sessionToken: "worker", n: 9, requestId: "perm-1" }),
        aStorable({ sessionToken: "lead", n: 5, requestId: "perm-1" }),
        aStorable({ sessionToken: "worker", n: 8, requestId: "perm-0", wireId: "perm-1" }),
        aStorable({ sessionToken: "worker", n: 10, requestId: "perm-2" }),
      );
      const story = await store.story(["perm-1"]);
      expect(story.map(({ sessionToken, n }) => [sessionToken, n])).toEqual([
        ["lead", 5],
        ["worker", 8],
        ["worker", 9],
      ]);
    });

    it("names the asks of a tool call, each once, in the order they came", async () => {
      const toolCallId = "call-1";
      await append(
        aStorable({ n: 1, requestId: "perm-2", toolCallId, time: 10 }),
        aStorable({ n: 2, requestId: "perm-1", toolCallId, time: 20 }),
        aStorable({ n: 3, requestId: "perm-2", toolCallId, time: 30 }),
        aStorable({ n: 1, requestId: "perm-3", toolCallId, sessionToken: "lead", time: 5 }),
        aStorable({ n: 4, requestId: null, toolCallId }),
        aStorable({ n: 5, requestId: "perm-4" }),
      );
      expect(await store.requests({ toolCallId })).toEqual(["perm-2", "perm-1", "perm-3"]);
      const sessionToken = "worker";
      expect(await store.requests({ toolCallId, sessionToken, since: 15, until: 25 })).toEqual([
        "perm-1",
      ]);
      expect(await store.requests({ toolCallId: "call-2" })).toEqual([]);
    });

    it("counts the places that are there between two of a chain, each once", async () => {
      for (const n of [1, 2, 2, 5]) await append(aStorable({ n }));
      expect(await store.placesBetween("worker", 1, 5)).toBe(3);
      expect(await store.placesBetween("worker", 3, 4)).toBe(0);
      expect(await store.placesBetween("lead", 1, 5)).toBe(0);
    });

    it("finds nothing removed of what came once, twice or under another's event id", async () => {
      const record = aStorable();
      const letter = aDeadLetter();
      const conflict = aStorable({ eventId: record.eventId, n: 2 });
      for (let k = 0; k < 3; k += 1) {
        const records = [record, aStorable(), record, conflict];
        await store.append({ records, deadLetters: [letter, letter] }, 2_000);
      }
      expect(await store.removed()).toEqual([]);
      expect(await store.counts()).toEqual({ records: 4, deadLetters: 2 });
      expect((await store.list({}, 0, 9)).map((one) => one.place)).toEqual([1, 2, 3, 4]);
      expect((await store.deadLetters(0, 9)).map((one) => one.whole)).toEqual([true, true]);
    });

    it("reads a session's chain in its own order, whatever order it came in", async () => {
      for (const n of [3, 1, 2]) await append(aStorable({ n }));
      expect((await store.chain("worker", 1, 10)).map(({ n }) => n)).toEqual([1, 2, 3]);
      expect((await store.chain("worker", 2, 1)).map(({ n }) => n)).toEqual([2]);
      expect(await store.chain("lead", 1, 10)).toEqual([]);
    });

    it("counts what it holds of each session", async () => {
      await append(
        aStorable({ sessionToken: "worker", n: 2 }),
        aStorable({ sessionToken: "worker", n: 2 }),
        aStorable({ sessionToken: "worker", n: 5 }),
        aStorable({ sessionToken: "lead", n: 1 }),
      );
      expect(await store.sessions()).toEqual([
        { sessionToken: "lead", records: 1, firstN: 1, lastN: 1, places: 1 },
        { sessionToken: "worker", records: 3, firstN: 2, lastN: 5, places: 2 },
      ]);
    });

    it("names the records that are missing before ones it has", async () => {
      for (const n of [3, 4, 8]) await append(aStorable({ n }));
      await append(
        aStorable({ sessionToken: "lead", n: 1 }),
        aStorable({ sessionToken: "lead", n: 3 }),
      );
      const worker = [
        { sessionToken: "worker", fromN: 1, toN: 2 },
        { sessionToken: "worker", fromN: 5, toN: 7 },
      ];
      expect(await store.gaps("worker")).toEqual(worker);
      expect(await store.gaps()).toEqual([{ sessionToken: "lead", fromN: 2, toN: 2 }, ...worker]);
    });
  });
}
