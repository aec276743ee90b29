import { describe, expect, it } from "vitest";
import {
  anOutbox,
  inTurn,
  messageHeaders,
  type OutboxScene,
  refusal,
  rememberingStream,
  takeIt,
} from "../../support/outbox-scene.ts";
import { until } from "../../support/until.ts";

const acked = (scene: OutboxScene) => (): boolean =>
  scene.journal.read.outboxState().ackedN === scene.journal.read.head().n;

describe("the pump of an outbox", () => {
  it("ships every record once and marks it, in their order", async () => {
    await using scene = await anOutbox();
    scene.record(700);
    await until("every record's mark", acked(scene));
    expect(scene.sentPlaces()).toEqual(Array.from({ length: 700 }, (_, k) => k + 1));
    expect(scene.pump.status()).toEqual({ state: "flowing", why: null, waiting: 0, parked: 0 });
  });

  it("ships what is written while it runs", async () => {
    await using scene = await anOutbox();
    for (const count of [1, 2, 1]) {
      scene.record(count);
      await until("every record's mark", acked(scene));
    }
    expect(scene.sentPlaces()).toEqual([1, 2, 3, 4]);
  });

  it("never has more on their way than its window", async () => {
    await using scene = await anOutbox({ pump: { window: 8 } });
    scene.record(1);
    await until("the first mark", acked(scene));
    scene.answer(() => null);
    scene.record(50);
    await until("a full window", () => scene.sent().length === 9);
    scene.pass(1_000);
    scene.pump.wake();
    expect(await scene.pump.drain(100)).toBe(false);
    expect(scene.sent().length).toBe(9);
  });

  it("sends the same bytes again when no acknowledgement comes within 1.5 s", async () => {
    await using scene = await anOutbox();
    scene.answer(() => null);
    scene.record(1);
    await until("the first sending", () => scene.sent().length === 1);
    scene.answer(takeIt);
    scene.pass(1_400);
    scene.pump.wake();
    expect(await scene.pump.drain(50)).toBe(false);
    scene.pass(200);
    await until("the mark", () => {
      scene.pass(100);
      return acked(scene)();
    });
    const [first, again] = scene.sent();
    expect(scene.sent().length).toBe(2);
    expect(again?.data).toEqual(first?.data);
    expect(again?.headers).toEqual(first?.headers);
  });

  it("keeps records while no stream takes them, one of them asking now and then", async () => {
    await using scene = await anOutbox();
    scene.answer(undefined);
    scene.record(100);
    await until("the refusal", () => scene.pump.status().state === "waiting");
    expect(scene.pump.status()).toMatchObject({ why: expect.stringContaining("503") as string });
    expect(scene.pump.status().waiting).toBe(100);
    expect(scene.sent().length).toBeLessThan(5);
    scene.answer(takeIt);
    await until("every record's mark", () => {
      scene.pass(50);
      return acked(scene)();
    });
    expect(scene.pump.status().state).toBe("flowing");
  });

  it("gives up draining at once where no stream takes records", async () => {
    await using scene = await anOutbox();
    scene.answer(undefined);
    scene.record(3);
    const begun = performance.now();
    expect(await scene.pump.drain(20_000)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("takes a message id that is just being worked on for a reason to try again", async () => {
    await using scene = await anOutbox();
    scene.answer(inTurn(0, [refusal(10_158, "duplicate message id is in process")]));
    scene.record(3);
    await until("every record's mark", () => {
      scene.pass(50);
      return acked(scene)();
    });
    expect(scene.pump.status().parked).toBe(0);
  });

  it("sets a record aside that the stream will never take, tells it, and ships the others", async () => {
    await using scene = await anOutbox();
    scene.answer(inTurn(2, [refusal(10_054, "message size exceeds maximum allowed")]));
    scene.record(5);
    await until("every record's mark", acked(scene));
    expect(scene.pump.status()).toMatchObject({ parked: 1, waiting: 0 });
    expect(scene.journal.read.parked(9)).toMatchObject([
      { n: 2, parked: "message size exceeds maximum allowed (10054)" },
    ]);
    expect(scene.told.filter(({ level }) => level === "error").length).toBe(1);
  });

  it("sets a record aside that is larger than the server takes", async () => {
    await using scene = await anOutbox({ maxPayloadBytes: 2_000 });
    scene.record(1);
    scene.record(1, { event: "x", filler: "y".repeat(3_000) });
    scene.record(1);
    await until("every record's mark", acked(scene));
    expect(scene.journal.read.parked(9).map(({ n }) => n)).toEqual([2]);
    expect(scene.sentPlaces()).toEqual([1, 3]);
  });

  it("tries a record that was set aside once more with the next pump, and drops it when it is taken", async () => {
    await using scene = await anOutbox();
    scene.answer(() => refusal(10_054, "message size exceeds maximum allowed"));
    scene.record(2);
    await until("both set aside", () => scene.pump.status().parked === 2);
    scene.answer(takeIt);
    scene.reopen();
    await until("none set aside", () => scene.pump.status().parked === 0);
    expect(scene.journal.read.outboxSize()).toEqual({ rows: 0, bytes: 0 });
  });

  it("stops at a full stream, raises the alarm once, drops nothing and goes on when there is room", async () => {
    await using scene = await anOutbox();
    scene.answer(() => refusal(10_077, "maximum bytes exceeded"));
    scene.record(10);
    await until("the block", () => scene.pump.status().state === "blocked");
    for (let k = 0; k < 5; k += 1) {
      const before = scene.sent().length;
      scene.pass(6_000);
      await until("another try", () => scene.sent().length > before);
      await until("its refusal", () => scene.refusals() === scene.sent().length);
    }
    expect(scene.pump.status()).toMatchObject({
      state: "blocked",
      why: "maximum bytes exceeded (10077)",
      waiting: 10,
      parked: 0,
    });
    expect(scene.told.filter(({ level }) => level === "error").length).toBe(1);
    scene.answer(takeIt);
    await until("every record's mark", () => {
      scene.pass(1_000);
      return acked(scene)();
    });
    expect(new Set(scene.sentPlaces()).size).toBe(10);
    expect(scene.pump.status()).toMatchObject({ state: "flowing", waiting: 0, parked: 0 });
  });

  it("sends a record under another id when the stream remembers one that it refused, and loses none", async () => {
    await using scene = await anOutbox();
    const stream = rememberingStream();
    scene.answer(stream.answer);
    scene.record(5);
    await until("the block", () => scene.pump.status().state === "blocked");
    scene.pass(6_000);
    await until("the memory of it", () => {
      return String(scene.pump.status().why).includes("remembers");
    });
    expect(scene.pump.status()).toMatchObject({ waiting: 5, parked: 0 });
    stream.makeRoom();
    await until("every record's mark", () => {
      scene.pass(1_000);
      return acked(scene)();
    });
    const ids = scene.sent().map(({ headers }) => String(headers["Nats-Msg-Id"]));
    expect(ids.filter((id) => /^[0-9a-f]{32}\.1$/.test(id))).not.toEqual([]);
  });

  it("stops where the server does not let it publish, and drops nothing", async () => {
    await using scene = await anOutbox({
      permissions: { publish: ["af.v1.test.dec.>"] },
    });
    scene.record(4);
    await until("the block", () => scene.pump.status().state === "blocked");
    expect(scene.pump.status().why).toContain("af.v1.test.audit.session-1.review");
    expect(scene.journal.read.outboxSize().rows).toBe(4);
  });

  it("sends again after a reconnect what was acknowledged and may have been forgotten", async () => {
    await using scene = await anOutbox();
    scene.record(3);
    await until("every record's mark", acked(scene));
    scene.broker.stop();
    scene.broker.start();
    await until("the repeats", () => scene.sent().length === 6);
    expect(scene.sentPlaces().slice(3)).toEqual([1, 2, 3]);
  });

  it("lets records go 4 s after their acknowledgement, and not before", async () => {
    await using scene = await anOutbox();
    scene.record(3);
    await until("every record's mark", acked(scene));
    scene.pass(3_500);
    scene.pump.wake();
    await scene.pump.drain(100);
    expect(scene.journal.read.outboxSize().rows).toBe(3);
    await until("an empty outbox", () => {
      scene.pass(200);
      return scene.journal.read.outboxSize().rows === 0;
    });
    expect(scene.pump.isEmpty()).toBe(true);
  });

  it("keeps them 150 s on a server that writes through every two minutes", async () => {
    await using scene = await anOutbox({ serverVersion: "2.9.10" });
    scene.record(1);
    await until("the mark", acked(scene));
    scene.pass(140_000);
    scene.pump.wake();
    await scene.pump.drain(100);
    expect(scene.journal.read.outboxSize().rows).toBe(1);
    await until("an empty outbox", () => {
      scene.pass(5_000);
      return scene.journal.read.outboxSize().rows === 0;
    });
  });

  it("keeps what a stream had forgotten for another 4 s after it took it again", async () => {
    await using scene = await anOutbox();
    scene.record(1);
    await until("the mark", acked(scene));
    scene.broker.stop();
    // It hears of the cut, and has many turns long after the records' time.
    await scene.pump.drain(0);
    scene.pass(60_000);
    for (let turn = 0; turn < 3; turn += 1) {
      scene.pump.wake();
      await scene.pump.drain(0);
    }
    expect(scene.journal.read.outboxSize().rows).toBe(1);
    scene.answer(takeIt);
    scene.broker.start();
    await until("the repeat", () => scene.sent().length === 2);
    scene.pass(2_000);
    scene.pump.wake();
    await scene.pump.drain(100);
    expect(scene.journal.read.outboxSize().rows).toBe(1);
  });

  it("lets go at once of what a stream still knows long after it took it", async () => {
    await using scene = await anOutbox();
    scene.record(1);
    await until("the mark", acked(scene));
    scene.pump.close();
    scene.pass(60_000);
    scene.reopen();
    await until("an empty outbox", () => scene.journal.read.outboxSize().rows === 0);
    expect(scene.sent().length).toBe(2);
  });

  it("carries each record's header whole, and names it as a CloudEvent", async () => {
    await using scene = await anOutbox();
    scene.record(1);
    await until("the mark", acked(scene));
    const [row] = scene.journal.read.outbox(1, 1);
    expect(scene.sent()[0]?.headers).toEqual(messageHeaders(row));
  });
});
