import { describe, expect, it } from "vitest";
import { openEventLine } from "../../../src/bus/event-line.ts";
import { createMemoryBroker, memoryBus } from "../../support/memory-bus.ts";

describe("live events of a session", () => {
  it.each(["ui_prompt", "decision", "ready"] as const)("%s goes to its own subject", (kind) => {
    const broker = createMemoryBroker();
    const events = openEventLine(memoryBus(broker), "boss.1");
    expect(events.publish(kind, { requestId: "perm-7" })).toBe("sent");
    expect(broker.log).toEqual([
      {
        subject: `af.v1.test.evt.boss=2E1.${kind}`,
        data: Uint8Array.from(Buffer.from('{"requestId":"perm-7"}')),
        headers: {},
        reply: null,
      },
    ]);
  });

  it("that cannot be written or sent hold nothing up", () => {
    const broker = createMemoryBroker({ maxPayloadBytes: 100 });
    const events = openEventLine(memoryBus(broker), "boss");
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(events.publish("ready", cycle)).toBe("unwritable");
    expect(events.publish("ready", { size: 1n })).toBe("unwritable");
    expect(events.publish("ready", { text: "t".repeat(100) })).toBe("too_large");
    broker.stop();
    expect(events.publish("ready", {})).toBe("disconnected");
  });
});
