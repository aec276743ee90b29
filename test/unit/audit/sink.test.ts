import { describe, expect, it, vi } from "vitest";
import { StoreError } from "../../../src/store/store.ts";
import { anEntry, aSink, aStray, failTimes, rejectPlace } from "../../support/sink-scene.ts";
import { until } from "../../support/until.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("the sink", () => {
  it("acknowledges a batch after the store has it, records and strays in one transaction", async () => {
    await using scene = await aSink();
    let ackedBefore = -1;
    scene.onAppend(() => {
      ackedBefore = scene.acked();
    });
    scene.give(anEntry(1), aStray(), anEntry(2));
    await until("the acknowledgement", () => scene.acked() === 1);
    expect(ackedBefore).toBe(0);
    expect(scene.kept.length).toBe(1);
    expect(scene.kept[0]?.records.map(({ n }) => n)).toEqual([1, 2]);
    expect(scene.kept[0]?.deadLetters.map(({ fault }) => fault)).toEqual(["body_malformed"]);
    expect(scene.sink.status()).toMatchObject({ ready: true, kept: 2, deadLetters: 1 });
  });

  it("acknowledges nothing while the store takes nothing, says so once, and keeps it later", async () => {
    await using scene = await aSink();
    const full = new StoreError("store_full", "The audit store /store is full: free space.");
    scene.onAppend(failTimes(3, full));
    scene.give(anEntry(1));
    await until("the trouble", () => !scene.sink.status().ready);
    expect(scene.sink.status().why).toBe(full.message);
    expect(scene.acked()).toBe(0);
    await until("the acknowledgement", () => scene.acked() === 1);
    expect(scene.givenBack()).toBe(3);
    expect(scene.sink.status()).toMatchObject({ ready: true, why: null, kept: 1 });
    expect(scene.told.filter(({ level }) => level === "error").length).toBe(1);
  });

  it("sets one record aside that the store always rejects, and keeps the hundred others", async () => {
    await using scene = await aSink();
    scene.onAppend(rejectPlace(50));
    scene.give(...Array.from({ length: 101 }, (_, k) => anEntry(k + 1)));
    await until("the acknowledgement", () => scene.acked() === 1);
    expect(scene.sink.status()).toMatchObject({ ready: true, kept: 100, deadLetters: 1 });
    const [letter] = scene.kept.flatMap(({ deadLetters }) => deadLetters);
    expect(letter).toMatchObject({ fault: "store_rejected", message: { sequence: 50 } });
  });

  it("is not ready while the stream cannot be read", async () => {
    await using scene = await aSink();
    scene.trouble("There is no audit stream AUDIT");
    expect(scene.sink.status()).toMatchObject({
      ready: false,
      why: "There is no audit stream AUDIT",
    });
    scene.trouble(null);
    expect(scene.sink.status().ready).toBe(true);
  });

  it("is not ready while its link is lost or refused, says each once, and that it stands again", async () => {
    await using scene = await aSink();
    const server = "nats.example:4222";
    const refused = { kind: "auth_refused", text: "Authorization Violation" } as const;
    scene.link({ kind: "disconnected", server });
    expect(scene.sink.status()).toMatchObject({ ready: false });
    expect(scene.sink.status().why).toContain("the link to nats.example:4222 is lost");
    for (let k = 0; k < 3; k += 1) scene.link(refused);
    expect(scene.sink.status().why).toContain(
      "lets this sink in no more (Authorization Violation)",
    );
    scene.link({ kind: "reconnected", server });
    expect(scene.sink.status()).toMatchObject({ ready: true, why: null });
    expect(scene.told.map(({ level }) => level)).toEqual(["warn", "warn", "info"]);
  });

  it("lets the batch at hand be kept when it is closed", async () => {
    const scene = await aSink();
    scene.give(anEntry(1));
    await until("the batch", () => scene.kept.length === 1);
    await scene.sink.close();
    expect(scene.acked()).toBe(1);
  });
});

describe("the health of a sink", () => {
  it("raises an alarm a day behind, and is not ready half of the stream's age behind", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await using scene = await aSink();
    await vi.advanceTimersByTimeAsync(0);
    scene.facts = { pending: 5, unacknowledged: 0 };
    scene.pass(2 * DAY_MS);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(scene.sink.status()).toMatchObject({ ready: true, pending: 5 });
    expect(scene.told.filter(({ level }) => level === "error").length).toBe(1);
    scene.pass(14 * DAY_MS);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(scene.sink.status()).toMatchObject({ ready: false });
    expect(scene.sink.status().why).toContain("16 days behind");
    expect(scene.told.filter(({ level }) => level === "error").length).toBe(1);
    vi.useRealTimers();
  });

  it("begins a reader anew that stands still although records wait", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await using scene = await aSink();
    await vi.advanceTimersByTimeAsync(0);
    scene.facts = { pending: 5, unacknowledged: 0 };
    scene.pass(20_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(scene.givenBack()).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(scene.givenBack()).toBe(1);
    vi.useRealTimers();
  });

  it("tells once when the stream is 80 % full", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await using scene = await aSink();
    scene.stream = { records: 10, bytes: 81, maxBytes: 100, replicas: 1 };
    await vi.advanceTimersByTimeAsync(15_000);
    expect(scene.told.filter(({ text }) => text.includes("fills up")).length).toBe(1);
    vi.useRealTimers();
  });
});
