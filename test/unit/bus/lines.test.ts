import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/ask/ask.ts";
import { openChildLine } from "../../../src/bus/child-line.ts";
import type { ChildInbound, ParentInbound, SealedAsk } from "../../../src/bus/lines.ts";
import { openParentLine } from "../../../src/bus/parent-line.ts";
import { aDecision, anAsk, aPayload } from "../../support/asks.ts";
import { createMemoryBroker, memoryBus } from "../../support/memory-bus.ts";
import { until } from "../../support/until.ts";

function openBoth() {
  const broker = createMemoryBroker();
  const childHeard: ChildInbound[] = [];
  const parentHeard: ParentInbound[] = [];
  const pending = new Map<string, SealedAsk>();
  const childBus = memoryBus(broker);
  const parentBus = memoryBus(broker);
  const child = openChildLine({
    bus: childBus,
    session: "child-1",
    pending: (requestId) => pending.get(requestId),
    onInbound: (inbound) => childHeard.push(inbound),
  });
  const parent = openParentLine({
    bus: parentBus,
    session: "parent-1",
    onInbound: (inbound) => parentHeard.push(inbound),
  });
  const put = (ask: Ask = anAsk()): SealedAsk => {
    const sealed = child.seal(ask);
    if (sealed === null) throw new Error("the ask does not fit");
    pending.set(ask.id, sealed);
    child.publishAsk(sealed, 600_000);
    return sealed;
  };
  return { broker, childBus, parentBus, child, parent, childHeard, parentHeard, pending, put };
}

describe("the two lines", () => {
  it("parent hears the ask that child published, and child its proven decision", async () => {
    const lines = openBoth();
    const sealed = lines.put();
    const heard = await until("the ask", () => lines.parentHeard[0]);
    expect(heard).toMatchObject({
      kind: "ask",
      childToken: "child-1",
      ask: sealed.ask,
      askDigest: sealed.askDigest,
      remainingMs: 600_000,
    });
    const body = lines.parent.encode({
      kind: "decision",
      message: aDecision({ askDigest: sealed.askDigest }),
    });
    const { id: requestId, nonce } = sealed.ask;
    expect(lines.parent.send({ childToken: "child-1", requestId, nonce }, body)).toBe("sent");
    const decision = await until("the decision", () => lines.childHeard[0]);
    expect(decision).toMatchObject({
      kind: "decision",
      message: aDecision({ askDigest: sealed.askDigest }),
    });
  });

  it("child refuses to seal an ask over 256 KiB", () => {
    const { child } = openBoth();
    const request = { ...aPayload().request, value: "v".repeat(256 * 1024) };
    expect(child.seal(anAsk({ payload: aPayload({ request }) }))).toBeNull();
  });
});
