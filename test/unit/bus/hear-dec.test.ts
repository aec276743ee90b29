import { describe, expect, it } from "vitest";
import type { ChildInbound, SealedAsk } from "../../../src/bus/lines.ts";
import { aDecision, anAsk } from "../../support/asks.ts";
import { DEC, digestOf, openChild, proofFor, sayDec } from "../../support/line-harness.ts";

const ASK = anAsk();

const approval = (sealed: SealedAsk) => aDecision({ askDigest: sealed.askDigest });

/** The body, naming the digest of the ask it is about where it is an object. */
const aboutIt = (body: unknown, sealed: SealedAsk): unknown =>
  typeof body === "object" ? { ...body, askDigest: sealed.askDigest } : body;

const kindsOf = (heard: readonly ChildInbound[]) => heard.map(({ kind }) => kind);

describe("a proven message about a waiting ask", () => {
  it("is heard whatever its kind", async () => {
    const at = openChild();
    const sealed = at.hold();
    const about = { requestId: ASK.id, askDigest: sealed.askDigest };
    const accepted = { ...about, incarnation: "3.k9", state: "human" };
    const progress = { ...accepted, heldBy: { kind: "user" }, ahead: 1 };
    const refused = { ...about, lost: "frozen", at: "parent-1" };
    const withdrawn = { requestId: ASK.id, effect: "withdrawn" };
    const decision = approval(sealed);
    for (const body of [accepted, progress, refused, withdrawn, decision]) await sayDec(at, body);
    expect(at.heard).toEqual([
      { kind: "accepted", message: accepted },
      { kind: "progress", message: progress },
      { kind: "refused", message: refused },
      { kind: "withdrawn", message: withdrawn, parentToken: "parent-1" },
      {
        kind: "decision",
        message: decision,
        decisionDigest: digestOf(JSON.stringify(decision)),
      },
    ]);
    expect(at.child.dropped()).toEqual({});
  });

  it("may be a refusal that names no digest", async () => {
    const at = openChild();
    at.hold();
    await sayDec(at, { requestId: ASK.id, lost: "rid_conflict", at: "parent-1" });
    expect(kindsOf(at.heard)).toEqual(["refused"]);
  });

  it.each([
    ["what is no JSON", "{"],
    ["nothing", ""],
    ["another revision", { v: 2, ...aDecision() }],
    ["a contradiction", aDecision({ approved: true, state: "denied" })],
    ["a decision and a refusal at once", { ...aDecision(), lost: "frozen", at: "parent-1" }],
    ["another request", aDecision({ requestId: "perm-8" })],
    ["an unknown state", { ...aDecision(), state: "approved_always" }],
    ["an approval by nobody", aDecision({ decidedBy: { kind: "gate_error", reason: "x" } })],
  ])("is unreadable when it says %s", async (_what, body) => {
    const at = openChild();
    const sealed = at.hold();
    await sayDec(at, aboutIt(body, sealed));
    expect(at.heard).toEqual([{ kind: "unreadable", requestId: ASK.id }]);
  });

  it("is dropped when it is about other bytes of the ask", async () => {
    const at = openChild();
    at.hold();
    await sayDec(at, aDecision({ askDigest: digestOf("another ask") }));
    await sayDec(at, { requestId: ASK.id, askDigest: "d", lost: "frozen", at: "parent-1" });
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({ other_digest: 2 });
  });
});

describe("a message that is not proven", () => {
  it.each([
    ["", "wrong_proof"],
    ["short", "wrong_proof"],
    ["A".repeat(43), "wrong_proof"],
    [proofFor(ASK.nonce, `${DEC}8`, "{}"), "wrong_proof"],
    [proofFor(Buffer.alloc(32).toString("base64url"), DEC, "{}"), "wrong_proof"],
    [null, "no_proof"],
  ])("with proof %j never decides", async (proof, reason) => {
    const at = openChild();
    const sealed = at.hold();
    await sayDec(at, approval(sealed), { proof });
    await sayDec(at, { requestId: ASK.id, effect: "withdrawn" }, { proof });
    await sayDec(at, "", { proof });
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({ [reason]: 3 });
  });

  it("with the proof of another decision never decides", async () => {
    const at = openChild();
    const sealed = at.hold();
    const denial = { ...approval(sealed), approved: false, state: "denied" };
    const proof = proofFor(ASK.nonce, DEC, JSON.stringify(denial));
    await sayDec(at, approval(sealed), { proof });
    expect(at.heard).toEqual([]);
    await sayDec(at, denial, { proof });
    expect(at.heard).toMatchObject([{ kind: "decision", message: { approved: false } }]);
  });

  it.each(["ask_malformed", "version_mismatch"])(
    "may refuse the ask as %s, marked as unproven",
    async (lost) => {
      const at = openChild();
      const sealed = at.hold();
      const refused = { requestId: ASK.id, lost, at: "parent-1" };
      await sayDec(at, refused, { proof: null });
      await sayDec(at, { ...refused, askDigest: sealed.askDigest }, { proof: null });
      expect(kindsOf(at.heard)).toEqual(["unproven_refused", "unproven_refused"]);
      expect(at.heard[0]).toEqual({ kind: "unproven_refused", message: refused });
      await sayDec(at, { ...refused, askDigest: "other" }, { proof: null });
      await sayDec(at, refused, { proof: "A".repeat(43) });
      expect(at.heard).toHaveLength(2);
      expect(at.child.dropped()).toEqual({ no_proof: 1, wrong_proof: 1 });
    },
  );

  it.each(["frozen", "rid_conflict", "cancelled", "gate_error", "not_serving"])(
    "may not refuse the ask as %s",
    async (lost) => {
      const at = openChild();
      at.hold();
      await sayDec(at, { requestId: ASK.id, lost, at: "parent-1" }, { proof: null });
      expect(at.heard).toEqual([]);
    },
  );
});

describe("a message on another subject", () => {
  it("of a parent that was not asked is dropped, proof or not", async () => {
    const at = openChild();
    const sealed = at.hold();
    const subject = `af.v1.test.dec.parent-2.child-1.${ASK.id}`;
    await sayDec(at, approval(sealed), { subject });
    await sayDec(at, { requestId: ASK.id, effect: "withdrawn" }, { subject, proof: null });
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({ other_parent: 2 });
  });

  it("of another child is not heard at all", async () => {
    const at = openChild();
    const sealed = at.hold();
    await sayDec(at, approval(sealed), { subject: `af.v1.test.dec.parent-1.child-2.${ASK.id}` });
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({});
  });

  it("with tokens that no name has is dropped", async () => {
    const at = openChild();
    const sealed = at.hold();
    await sayDec(at, approval(sealed), { subject: `af.v1.test.dec.parent$.child-1.${ASK.id}` });
    expect(at.child.dropped()).toEqual({ foreign_subject: 1 });
  });
});

describe("a message about an ask that does not wait", () => {
  it("stops a cancel when it is withdrawn, proof or not", async () => {
    const at = openChild();
    const withdrawn = { requestId: ASK.id, effect: "already_decided" };
    await sayDec(at, withdrawn, { proof: null });
    await sayDec(at, withdrawn, { proof: "wrong" });
    const heard = { kind: "withdrawn", message: withdrawn, parentToken: "parent-1" };
    expect(at.heard).toEqual([heard, heard]);
  });

  it("is a stray decision of which only the digest is told", async () => {
    const at = openChild();
    await sayDec(at, aDecision());
    expect(at.heard).toEqual([
      {
        kind: "stray_decision",
        requestId: ASK.id,
        parentToken: "parent-1",
        decisionDigest: digestOf(JSON.stringify(aDecision())),
      },
    ]);
  });

  it.each([
    ["an acceptance", { requestId: ASK.id, askDigest: "d", incarnation: "1.a", state: "human" }],
    ["a refusal", { requestId: ASK.id, lost: "ask_malformed", at: "parent-1" }],
    ["a contradiction", aDecision({ approved: true, state: "denied" })],
    ["another request's end", { requestId: "perm-8", effect: "withdrawn" }],
    ["nothing", ""],
  ])("is dropped when it is %s", async (_what, body) => {
    const at = openChild();
    await sayDec(at, body);
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({ not_pending: 1 });
  });
});

describe("a parent that nobody is", () => {
  it("is told with the ask it was asked", async () => {
    const at = openChild();
    at.child.publishAsk(at.hold(), 1_000);
    await at.settle();
    expect(at.heard).toEqual([
      { kind: "no_responders", requestId: ASK.id, parentToken: "parent-1" },
    ]);
  });

  it("is not told for an ask that ended meanwhile or went elsewhere", async () => {
    const at = openChild();
    const sealed = at.hold();
    at.child.publishAsk(sealed, 1_000);
    at.pending.clear();
    await at.settle();
    at.child.publishAsk(sealed, 1_000);
    at.hold(anAsk({ targetSessionId: "parent-2" }));
    await at.settle();
    expect(at.heard).toEqual([]);
    expect(at.child.dropped()).toEqual({ not_pending: 1, other_parent: 1 });
  });
});
