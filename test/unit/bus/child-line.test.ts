import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/ask/ask.ts";
import type { SealedAsk } from "../../../src/bus/lines.ts";
import { aDecision, anAsk, aPayload } from "../../support/asks.ts";
import {
  type ChildHarness,
  DEC,
  digestOf,
  keepLog,
  openChild,
  sayDec,
} from "../../support/line-harness.ts";

const ASK = anAsk();

describe("what a child sends", () => {
  it("an ask carries the same bytes on every repeat, its remaining life and the decision subject", async () => {
    const at = openChild();
    const sealed = at.hold();
    expect(at.child.publishAsk(sealed, 600_000)).toBe("sent");
    expect(at.child.publishAsk(sealed, 599_750.9)).toBe("sent");
    await at.settle();
    const [first, second] = at.broker.log;
    expect(first).toMatchObject({
      subject: "af.v1.test.ask.parent-1.child-1",
      reply: DEC,
      headers: { "Af-Remaining": "600000" },
    });
    expect(second?.headers).toEqual({ "Af-Remaining": "599750" });
    expect(second?.data).toEqual(first?.data);
    expect(digestOf(sealed.body)).toBe(sealed.askDigest);
    expect(JSON.parse(Buffer.from(sealed.body).toString())).toEqual({ v: 1, ...ASK });
  });

  it("names go into subjects as tokens", () => {
    const at = openChild({ session: "kid.1" });
    const ask = anAsk({ requesterSessionId: "kid.1", targetSessionId: "boss>" });
    at.child.publishAsk(at.hold(ask), 1);
    at.child.publishCancel("boss>", { requestId: "perm-7", why: "aborted" });
    at.child.publishReceipt("boss=3E", {
      requestId: "perm-7",
      decisionDigest: "d",
      effect: "applied",
    });
    expect(at.broker.log.map(({ subject }) => subject)).toEqual([
      "af.v1.test.ask.boss=3E.kid=2E1",
      "af.v1.test.cancel.boss=3E.kid=2E1.perm-7",
      "af.v1.test.ack.boss=3E.kid=2E1",
    ]);
  });

  it("cancels, receipts and presence are plain messages without a reply", () => {
    const at = openChild();
    const presence = {
      session: "child-1",
      incarnation: "1.a0",
      state: "up",
      serving: false,
      openAsks: 1,
      record: { n: 0, hash: "" },
    } as const;
    at.child.publishCancel("parent-1", { requestId: "perm-7", why: "timed_out" });
    at.child.publishReceipt("parent-1", {
      requestId: "perm-7",
      decisionDigest: "d",
      effect: "late",
    });
    at.child.publishPresence("parent-1", presence);
    const bodies = at.broker.log.map(
      ({ data }) => JSON.parse(Buffer.from(data).toString()) as object,
    );
    expect(bodies).toEqual([
      { v: 1, requestId: "perm-7", why: "timed_out" },
      { v: 1, requestId: "perm-7", decisionDigest: "d", effect: "late" },
      { v: 1, ...presence },
    ]);
    expect(at.broker.log.map(({ reply }) => reply)).toEqual([null, null, null]);
    expect(at.broker.log[2]?.subject).toBe("af.v1.test.up.parent-1.child-1");
  });

  it("nothing is sent while the link is cut", () => {
    const at = openChild();
    const sealed = at.hold();
    at.broker.stop();
    expect(at.child.publishAsk(sealed, 1)).toBe("disconnected");
  });
});

describe("the size of an ask", () => {
  const sized = (bytes: number): Ask => {
    const request = { ...aPayload().request, value: "" };
    const bare = openChild().hold(anAsk({ payload: aPayload({ request }) })).body.length;
    const value = "v".repeat(bytes - bare);
    return anAsk({ payload: aPayload({ request: { ...request, value } }) });
  };

  it("of 256 KiB fits and one byte more does not", () => {
    const at = openChild();
    expect(at.child.seal(sized(262_144))?.body).toHaveLength(262_144);
    expect(at.child.seal(sized(262_145))).toBeNull();
  });

  it("counts bytes, not characters", () => {
    const at = openChild();
    const wide = "€".repeat(100_000);
    expect(at.child.seal(anAsk({ value: wide }))).toBeNull();
  });

  it("leaves room for the headers in what this server takes", () => {
    const headers = "NATS/1.0\r\nAf-Remaining: 86400000\r\n\r\n".length;
    const at = openChild({ maxPayloadBytes: 2_000 + headers });
    const sealed = at.child.seal(sized(2_000));
    expect(sealed).not.toBeNull();
    expect(at.child.publishAsk(sealed as SealedAsk, 86_400_000)).toBe("sent");
    expect(at.child.seal(sized(2_001))).toBeNull();
  });
});

describe("the heartbeat of a watched parent", () => {
  const beat = { session: "boss.1", incarnation: "3.k9", state: "up", serving: true };
  const presence = { ...beat, openAsks: 0, record: { n: 1, hash: "h" } };
  const tell = async (at: ChildHarness, body: object): Promise<void> => {
    at.stranger.publish("af.v1.test.hb.boss=2E1", Buffer.from(JSON.stringify(body)));
    await at.settle();
  };

  it("is heard from the watch to its end, once however many watch", async () => {
    const at = openChild();
    await tell(at, presence);
    const stopFirst = at.child.watchParent("boss.1");
    const stopSecond = at.child.watchParent("boss.1");
    await tell(at, presence);
    stopFirst();
    stopFirst();
    await tell(at, presence);
    stopSecond();
    await tell(at, presence);
    expect(at.heard).toEqual([
      { kind: "presence", message: presence },
      { kind: "presence", message: presence },
    ]);
  });

  it("is none when it names another session or cannot be read", async () => {
    const at = openChild();
    at.child.watchParent("boss.1");
    await tell(at, { ...presence, session: "boss.2" });
    await tell(at, { v: 2, ...presence });
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({ unreadable_presence: 2 });
  });
});

describe("a child's line that is in trouble", () => {
  it("goes on hearing after its listener threw, and says no secret", async () => {
    const log = keepLog();
    const at = openChild({
      log,
      onInbound: (inbound) => {
        expect(inbound.kind).toBe("decision");
      },
    });
    const sealed = at.hold();
    await sayDec(at, { requestId: ASK.id, lost: "frozen", at: "parent-1" });
    await sayDec(at, aDecision({ askDigest: sealed.askDigest }));
    expect(at.heard).toMatchObject([{ kind: "decision" }]);
    expect(at.child.dropped()).toEqual({ handler_failed: 1 });
    expect(log.lines.join("\n")).toContain("a handler failed");
    expect(log.lines.join("\n")).not.toContain(ASK.nonce);
  });

  it("hears nothing after it was closed", async () => {
    const at = openChild();
    const sealed = at.hold();
    at.child.watchParent("parent-1");
    at.child.close();
    await sayDec(at, aDecision({ askDigest: sealed.askDigest }));
    expect(at.heard).toEqual([]);
  });
});
