import { describe, expect, it } from "vitest";
import { aDecision, anAsk } from "../../support/asks.ts";
import { digestOf, keepLog, openParent, proofFor } from "../../support/line-harness.ts";

const ASK = anAsk();
const ASK_SUBJECT = "af.v1.test.ask.parent-1.child-1";
const BODY = JSON.stringify({ v: 1, ...ASK });
const bytes = (body: unknown): Buffer =>
  Buffer.from(typeof body === "string" ? body : JSON.stringify(body));

describe("an ask at a parent", () => {
  it("comes with its digest, its stored form and the life that is left", async () => {
    const at = openParent();
    at.stranger.publish(ASK_SUBJECT, bytes(BODY), {
      headers: { "Af-Remaining": "1500", traceparent: "00-1-2-01" },
      reply: "af.v1.test.dec.parent-1.child-1.x",
    });
    expect(await at.first("ask")).toEqual({
      kind: "ask",
      childToken: "child-1",
      ask: ASK,
      askDigest: digestOf(BODY),
      remainingMs: 1_500,
      storedAsk: BODY.replace(ASK.nonce, ""),
    });
  });

  it.each(["", "soon", "-1", "1.5"])("says nothing of its life with %j", async (header) => {
    const at = openParent();
    at.stranger.publish(ASK_SUBJECT, bytes(BODY), { headers: { "Af-Remaining": header } });
    expect((await at.first("ask")).remainingMs).toBeNull();
  });

  it("keeps everything but the nonce in its stored form, to the byte", async () => {
    const at = openParent();
    const odd = `\r\n${BODY.slice(0, -1)} , "more" : [ 1.50 , "\\u00fc" ] }`;
    at.stranger.publish(ASK_SUBJECT, bytes(odd));
    const { storedAsk, askDigest } = await at.first("ask");
    expect(storedAsk).toBe(odd.replace(ASK.nonce, ""));
    expect(askDigest).toBe(digestOf(odd));
  });

  it("is heard for its own name alone", async () => {
    const at = openParent({ session: "boss.1" });
    at.stranger.publish(ASK_SUBJECT, bytes(BODY));
    const own = { ...ASK, targetSessionId: "boss.1" };
    at.stranger.publish("af.v1.test.ask.boss=2E1.child-1", bytes(own));
    await at.settle();
    expect(at.heard).toMatchObject([{ kind: "ask", ask: { targetSessionId: "boss.1" } }]);
  });

  it.each([
    ["no JSON", "what", "ask_malformed", null, null, 7],
    ["an opening", "{", "ask_malformed", null, null, 7],
    ["another revision", { ...ASK, v: 2 }, "version_mismatch", ASK.id, ASK.nonce, 0],
    ["a missing time", { ...ASK, createdAt: null }, "ask_malformed", ASK.id, ASK.nonce, 1],
    ["a short nonce", { ...ASK, nonce: "AA" }, "ask_malformed", ASK.id, null, 1],
    ["another child", { ...ASK, requesterSessionId: "x" }, "ask_malformed", ASK.id, ASK.nonce, 1],
  ])("is malformed as %s, with what can be answered", async (...row) => {
    const [, body, reason, requestId, nonce, wrong] = row;
    const at = openParent();
    at.stranger.publish(ASK_SUBJECT, bytes(body));
    const heard = await at.first("malformed_ask");
    expect(heard).toMatchObject({ childToken: "child-1", reason, requestId, nonce });
    expect(heard.askDigest).toBe(digestOf(bytes(body)));
    expect(heard.fields).toHaveLength(wrong);
  });

  it("of 256 KiB is heard and one byte more is malformed", async () => {
    const at = openParent();
    const room = 262_144 - bytes({ ...ASK, value: "" }).length;
    at.stranger.publish(ASK_SUBJECT, bytes({ ...ASK, value: "v".repeat(room) }));
    expect((await at.first("ask")).ask.value).toHaveLength(room);
    at.stranger.publish(ASK_SUBJECT, bytes({ ...ASK, value: "v".repeat(room + 1) }));
    expect(await at.first("malformed_ask")).toMatchObject({ requestId: ASK.id });
  });

  it("over 256 KiB is malformed with what can be answered", async () => {
    const at = openParent();
    at.stranger.publish(ASK_SUBJECT, bytes({ ...ASK, junk: "j".repeat(262_144) }));
    expect(await at.first("malformed_ask")).toMatchObject({
      reason: "ask_malformed",
      requestId: ASK.id,
      nonce: ASK.nonce,
    });
  });

  it("is heard after everything a stranger can throw at the parent", async () => {
    const at = openParent();
    const junk = [
      bytes("what"),
      bytes("{"),
      Buffer.from([0xff, 0xfe]),
      Buffer.alloc(5_000_000, "["),
    ];
    const subjects = [ASK_SUBJECT, "af.v1.test.ack.parent-1.child-1", "af.v1.test.hb.parent-1"];
    const more = ["af.v1.test.cancel.parent-1.child-1.x", "af.v1.test.up.parent-1.child-1"];
    for (const subject of [...subjects, ...more]) {
      for (const data of junk) at.stranger.publish(subject, data);
    }
    at.stranger.publish(ASK_SUBJECT, bytes(BODY));
    expect((await at.first("ask")).ask).toEqual(ASK);
    expect(at.parent.dropped()).toEqual({
      unreadable_cancel: 4,
      unreadable_receipt: 4,
      unreadable_presence: 8,
    });
    expect(at.heard).toHaveLength(5);
  });

  it("with tokens that no name has is dropped", async () => {
    const at = openParent();
    at.stranger.publish("af.v1.test.ask.parent-1.child$", bytes(BODY));
    await at.settle();
    expect(at.heard).toEqual([]);
    expect(at.parent.dropped()).toEqual({ foreign_subject: 1 });
  });
});

describe("what else a parent hears", () => {
  const presence = {
    session: "child-1",
    incarnation: "1.a0",
    state: "up",
    serving: false,
    openAsks: 1,
    record: { n: 0, hash: "" },
  };

  it("cancels, receipts and presence with the child's token", async () => {
    const at = openParent();
    const cancel = { requestId: "perm-7", why: "aborted" };
    const receipt = { requestId: "perm-7", decisionDigest: "d", effect: "applied" };
    const own = { ...presence, session: "parent-1" };
    at.stranger.publish("af.v1.test.cancel.parent-1.child-1.perm-7", bytes(cancel));
    at.stranger.publish("af.v1.test.ack.parent-1.child-1", bytes(receipt));
    at.stranger.publish("af.v1.test.up.parent-1.child-1", bytes(presence));
    at.stranger.publish("af.v1.test.hb.parent-1", bytes(own));
    await at.settle();
    expect(at.heard).toEqual([
      { kind: "cancel", childToken: "child-1", message: cancel },
      { kind: "receipt", childToken: "child-1", message: receipt },
      { kind: "child_presence", childToken: "child-1", message: presence },
      { kind: "own_presence", message: own },
    ]);
  });

  it("nothing that names another request or session than its subject", async () => {
    const at = openParent();
    const cancel = { requestId: "perm-8", why: "aborted" };
    at.stranger.publish("af.v1.test.cancel.parent-1.child-1.perm-7", bytes(cancel));
    at.stranger.publish("af.v1.test.up.parent-1.child-2", bytes(presence));
    at.stranger.publish("af.v1.test.hb.parent-1", bytes(presence));
    await at.settle();
    expect(at.heard).toEqual([]);
    expect(at.parent.dropped()).toEqual({ unreadable_cancel: 1, unreadable_presence: 2 });
  });

  it("its own heartbeat as any other process of its session would", async () => {
    const at = openParent();
    const own = { ...presence, session: "parent-1", state: "closing", successor: "p-2" } as const;
    expect(at.parent.publishPresence(own)).toBe("sent");
    expect(await at.first("own_presence")).toEqual({ kind: "own_presence", message: own });
    expect(at.broker.log[0]?.subject).toBe("af.v1.test.hb.parent-1");
  });
});

describe("what a parent sends", () => {
  it("goes to the subject of the ask's own tokens, with a proof over subject and body", () => {
    const at = openParent();
    const body = at.parent.encode({ kind: "decision", message: aDecision() });
    const to = { childToken: "kid=2E1", requestId: ASK.id, nonce: ASK.nonce };
    expect(at.parent.send(to, body)).toBe("sent");
    const subject = `af.v1.test.dec.parent-1.kid=2E1.${ASK.id}`;
    expect(at.broker.log).toEqual([
      {
        subject,
        data: Uint8Array.from(bytes({ v: 1, ...aDecision() })),
        headers: { "Af-Proof": proofFor(ASK.nonce, subject, body) },
        reply: null,
      },
    ]);
  });

  it("is the same bytes when a journalled body is repeated", () => {
    const at = openParent();
    const body = at.parent.encode({
      kind: "refused",
      message: { requestId: ASK.id, lost: "timed_out", at: "parent-1", detail: "ü" },
    });
    const to = { childToken: "child-1", requestId: ASK.id, nonce: ASK.nonce };
    at.parent.send(to, body);
    at.parent.send(to, body);
    expect(at.broker.log[1]).toEqual(at.broker.log[0]);
    expect(at.broker.log[0]?.data).toEqual(Uint8Array.from(Buffer.from(body, "utf8")));
  });

  it("carries no proof when the nonce could not be read", () => {
    const at = openParent();
    at.parent.send({ childToken: "child-1", requestId: "a.b", nonce: null }, "{}");
    expect(at.broker.log[0]?.headers).toEqual({});
    expect(at.broker.log[0]?.subject).toBe("af.v1.test.dec.parent-1.child-1.a=2Eb");
  });

  it.each(["kid.1", "*", ">", ""])("never goes to %j, which is no token", (childToken) => {
    const at = openParent();
    const to = { childToken, requestId: ASK.id, nonce: ASK.nonce };
    expect(() => at.parent.send(to, "{}")).toThrow("child");
    expect(at.broker.log).toEqual([]);
  });
});

describe("a parent's line that is in trouble", () => {
  it("goes on hearing after its listener threw, and says no secret", async () => {
    const log = keepLog();
    const at = openParent({
      log,
      onInbound: (inbound) => {
        expect(inbound).not.toHaveProperty("ask.value", "first");
      },
    });
    at.stranger.publish(ASK_SUBJECT, bytes({ ...ASK, value: "first" }));
    at.stranger.publish(ASK_SUBJECT, bytes(BODY));
    expect((await at.first("ask")).ask).toEqual(ASK);
    expect(at.heard).toHaveLength(1);
    expect(at.parent.dropped()).toEqual({ handler_failed: 1 });
    expect(log.lines.join("\n")).toContain("a handler failed");
  });

  it("hears nothing after it was closed", async () => {
    const at = openParent();
    at.parent.close();
    at.stranger.publish(ASK_SUBJECT, bytes(BODY));
    await at.settle();
    expect(at.heard).toEqual([]);
  });
});
