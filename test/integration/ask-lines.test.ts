import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ask } from "../../src/ask/ask.ts";
import type { Bus } from "../../src/bus/bus.ts";
import { openChildLine } from "../../src/bus/child-line.ts";
import { connect } from "../../src/bus/connect.ts";
import type { ChildInbound, ParentInbound, SealedAsk } from "../../src/bus/lines.ts";
import { openParentLine } from "../../src/bus/parent-line.ts";
import { aDecision, anAsk } from "../support/asks.ts";
import { startNats } from "../support/nats-launcher.ts";
import { until } from "../support/until.ts";

let server: Awaited<ReturnType<typeof startNats>>;

beforeAll(async () => {
  server = await startNats();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const join = async (fleet: string): Promise<Bus> => connect({ servers: server.url, fleet });

function openChild(bus: Bus, ask: Ask) {
  const heard: ChildInbound[] = [];
  const waiting: { sealed: SealedAsk | null } = { sealed: null };
  const line = openChildLine({
    bus,
    session: ask.requesterSessionId,
    pending: (requestId) => (requestId === ask.id ? (waiting.sealed ?? undefined) : undefined),
    onInbound: (inbound) => heard.push(inbound),
  });
  waiting.sealed = line.seal(ask);
  const publish = (): string =>
    waiting.sealed === null ? "unsealed" : line.publishAsk(waiting.sealed, 60_000);
  return { line, heard, publish };
}

function openParent(bus: Bus, session: string) {
  const heard: ParentInbound[] = [];
  const line = openParentLine({ bus, session, onInbound: (inbound) => heard.push(inbound) });
  return { line, heard };
}

const first = async <T extends { kind: string }, K extends T["kind"]>(heard: T[], kind: K) =>
  until(kind, () => heard.find((one): one is Extract<T, { kind: K }> => one.kind === kind));

describe("the lines over a real server", () => {
  it("a decision comes back proven to the child that asked, under names that need encoding", async () => {
    await using childBus = await join("round-trip");
    await using parentBus = await join("round-trip");
    const ask = anAsk({ requesterSessionId: "kid.1 ü", targetSessionId: "boss>" });
    const parent = openParent(parentBus, "boss>");
    expect(await parentBus.port.flush(5_000)).toBe(true);
    const child = openChild(childBus, ask);
    expect(child.publish()).toBe("sent");
    const asked = await first(parent.heard, "ask");
    expect(asked).toMatchObject({ childToken: "kid=2E1=20=C3=BC", remainingMs: 60_000 });
    const message = aDecision({ askDigest: asked.askDigest, denialReason: "ü 🦀" });
    const to = { childToken: asked.childToken, requestId: ask.id, nonce: asked.ask.nonce };
    parent.line.send(to, parent.line.encode({ kind: "decision", message }));
    expect(await first(child.heard, "decision")).toMatchObject({ message });
    expect(child.line.dropped()).toEqual({});
  });

  it("the server's 503 reaches the child with the ask it asked for", async () => {
    await using childBus = await join("nobody");
    const child = openChild(childBus, anAsk());
    child.publish();
    expect(await first(child.heard, "no_responders")).toEqual({
      kind: "no_responders",
      requestId: anAsk().id,
      parentToken: "parent-1",
    });
  });

  it("an ask of the largest size passes a server that takes 512 KiB", async () => {
    await using childBus = await join("large");
    await using parentBus = await join("large");
    const parent = openParent(parentBus, "parent-1");
    expect(await parentBus.port.flush(5_000)).toBe(true);
    const room = 262_144 - JSON.stringify({ v: 1, ...anAsk({ value: "" }) }).length;
    const child = openChild(childBus, anAsk({ value: "v".repeat(room) }));
    expect(child.publish()).toBe("sent");
    expect((await first(parent.heard, "ask")).ask.value).toHaveLength(room);
  });
});
