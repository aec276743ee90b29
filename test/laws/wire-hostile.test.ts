import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effectiveDecider } from "../../src/ask/decision.ts";
import { type ParsedAsk, parseAsk } from "../../src/wire/ask.ts";
import { readJson } from "../../src/wire/body.ts";
import { readDec } from "../../src/wire/dec.ts";
import { parseDecidedBy } from "../../src/wire/decider.ts";
import { parseDecision } from "../../src/wire/decision.ts";
import { encodeAsk } from "../../src/wire/encode.ts";
import { parseCancel, parsePresence, parseReceipt } from "../../src/wire/messages.ts";
import { parsePayload } from "../../src/wire/payload.ts";
import { mintNonce, type ProvenBytes, proofMatches, proofOf } from "../../src/wire/proof.ts";
import { createSubjects } from "../../src/wire/subjects.ts";
import { encodeToken } from "../../src/wire/token.ts";
import { someAsk, someDecision, someText } from "../support/wire-arbitraries.ts";

const SUBJECT = { parent: "boss", child: "kid" };

const wireKeys = fc.constantFrom(
  "v",
  "id",
  "approved",
  "state",
  "decidedBy",
  "kind",
  "decision",
  "payload",
  "request",
  "evidence",
  "nonce",
  "lost",
  "effect",
  "heldBy",
  "accessIntent",
  "units",
  "__proto__",
);

/** JSON made of the wire's own words, nested at will. */
const wireLike = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<unknown>(true, false, null, 1, "approved", "user", "dialog", "boss", "kid"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(wireKeys, tie("value"), { maxKeys: 5 }),
  ),
})).value;

const anything = fc.oneof(fc.jsonValue(), fc.anything(), wireLike);
const someBytes = fc.oneof(
  fc.uint8Array(),
  fc.json().map((text) => Buffer.from(text)),
);

function readEverything(value: unknown): void {
  parseAsk(SUBJECT, value);
  parsePayload(value);
  parseDecidedBy(value);
  parseReceipt(value);
  parseCancel(value);
  parsePresence(value);
}

describe("whatever comes over the wire", () => {
  it("throws in no reader", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(() => {
          readEverything(value);
        }).not.toThrow();
        expect(parseDecision("perm-7", value)?.approved).not.toBe(true);
        expect(readDec("perm-7", value)?.kind).not.toBe("decision");
      }),
    );
  });

  it("throws in no reader of bytes and subjects", () => {
    const subjects = createSubjects("af.v1.default");
    fc.assert(
      fc.property(someBytes, fc.string(), (bytes, text) => {
        expect(readDec("perm-7", readJson(bytes))?.kind).not.toBe("decision");
        expect(() => subjects.parse(text)).not.toThrow();
        expect(() => subjects.parse(`af.v1.default.${text}`)).not.toThrow();
      }),
    );
  });
});

describe("a decision of which one field was changed", () => {
  const fields = [
    "v",
    "requestId",
    "askDigest",
    "incarnation",
    "approved",
    "state",
    "denialReason",
    "responderSessionId",
    "respondedAt",
    "decidedBy",
    "sessionGrantWidth",
    "via",
    "lost",
  ];
  const values = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(true, false, "approved", "approved_for_session", "denied", 1, 2),
    fc.constant({ kind: "user", via: "dialog" }),
  );

  it("never turns from a denial into an approval", () => {
    fc.assert(
      fc.property(someDecision, fc.constantFrom(...fields), values, (decision, field, value) => {
        fc.pre(!decision.approved);
        const changed = { ...decision, [field]: value };
        const read = parseDecision(encodeToken(decision.requestId), changed);
        expect(read?.approved).not.toBe(true);
      }),
    );
  });

  it("approves only as one who can approve", () => {
    fc.assert(
      fc.property(someDecision, fc.constantFrom(...fields), values, (decision, field, value) => {
        const changed = { ...decision, [field]: value };
        const read = parseDecision(encodeToken(decision.requestId), changed);
        fc.pre(read?.approved === true);
        const decider = effectiveDecider(read.decidedBy);
        expect(["unavailable", "gate_error"]).not.toContain(decider.kind);
        expect(decider).not.toHaveProperty("verdict", "deny");
        expect(read.requestId).toBe(decision.requestId);
        expect(changed).toMatchObject({ approved: true, state: read.state });
      }),
    );
  });
});

const blame = (parsed: ParsedAsk): string => (parsed.ok ? "nothing" : parsed.fields.join(" "));
// A life is measured between two times: the end of it is blamed when the beginning moves.
const blamed = (field: string): string[] => ["nothing", field, field.replace("created", "expires")];

describe("an ask of which one field was changed", () => {
  it("keeps its requester, or is refused by the name of the field", () => {
    const fields = ["id", "createdAt", "expiresAt", "requesterSessionId", "targetSessionId"];
    fc.assert(
      fc.property(someAsk, fc.constantFrom(...fields), fc.jsonValue(), (ask, field, value) => {
        const body = { ...(readJson(encodeAsk(ask)) as object), [field]: value };
        const subject = {
          parent: encodeToken(ask.targetSessionId),
          child: encodeToken(ask.requesterSessionId),
        };
        expect(blamed(field)).toContain(blame(parseAsk(subject, body)));
      }),
    );
  });
});

const signed = ({ subject, body }: ProvenBytes): Buffer =>
  Buffer.concat([Buffer.from(`${subject}\0`), body]);

describe("a proof", () => {
  const message = fc.record({ subject: someText, body: fc.uint8Array() });

  it("matches its own subject, body and nonce and no other", () => {
    fc.assert(
      fc.property(message, message, (one, other) => {
        fc.pre(!signed(one).equals(signed(other)));
        const nonce = mintNonce();
        const proof = proofOf(nonce, one);
        expect(proofMatches(nonce, one, proof)).toBe(true);
        expect(proofMatches(nonce, other, proof)).toBe(false);
        expect(proofMatches(mintNonce(), one, proof)).toBe(false);
      }),
    );
  });

  it("is matched by nothing else that is put in its place", () => {
    fc.assert(
      fc.property(
        message,
        fc.anything(),
        fc.string({ minLength: 43, maxLength: 43 }),
        (one, ...w) => {
          const nonce = mintNonce();
          for (const wrong of w) expect(proofMatches(nonce, one, wrong)).toBe(false);
        },
      ),
    );
  });
});
