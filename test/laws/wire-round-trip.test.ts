import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ask } from "../../src/ask/ask.ts";
import { parseAsk } from "../../src/wire/ask.ts";
import { readJson } from "../../src/wire/body.ts";
import { readDec } from "../../src/wire/dec.ts";
import { parseDecidedBy } from "../../src/wire/decider.ts";
import { bytesDigest } from "../../src/wire/digest.ts";
import {
  encodeAsk,
  encodeCancel,
  encodeDec,
  encodePresence,
  encodeReceipt,
} from "../../src/wire/encode.ts";
import { parseCancel, parsePresence, parseReceipt } from "../../src/wire/messages.ts";
import { isNonceOf, readStoredAsk, withoutNonce } from "../../src/wire/stored-ask.ts";
import { encodeToken } from "../../src/wire/token.ts";
import {
  someAsk,
  someCancel,
  someDecider,
  someDecMessage,
  somePresence,
  someReceipt,
} from "../support/wire-arbitraries.ts";

const sent = (text: string): unknown => readJson(Buffer.from(text, "utf8"));
const subjectOf = (ask: Ask) => ({
  parent: encodeToken(ask.targetSessionId),
  child: encodeToken(ask.requesterSessionId),
});

const spoil = (parts: readonly string[]) => Object.fromEntries(parts.map((part) => [part, 7]));

/** What is left of an ask: facts of an origin that is gone are nobody's. */
function remainder(ask: Ask, spoiled: readonly string[]): object {
  const { sessionId, agentName } = ask.origin ?? {};
  const asItself = sessionId === ask.requesterSessionId && agentName === ask.requesterAgentName;
  const orphaned = spoiled.includes("origin") && ask.origin !== undefined && !asItself;
  const gone = orphaned ? [...spoiled, "accessIntent"] : spoiled;
  return Object.fromEntries(Object.entries(ask).filter(([field]) => !gone.includes(field)));
}

describe("a message that is written and read again", () => {
  it("is the same ask", () => {
    fc.assert(
      fc.property(someAsk, (ask) => {
        expect(parseAsk(subjectOf(ask), sent(encodeAsk(ask)))).toEqual({ ok: true, ask });
      }),
    );
  });

  it("is the same answer of a parent", () => {
    fc.assert(
      fc.property(someDecMessage, (message) => {
        const rid = encodeToken(message.message.requestId);
        expect(readDec(rid, sent(encodeDec(message)))).toEqual(message);
      }),
    );
  });

  it("is the same receipt, cancel and presence", () => {
    fc.assert(
      fc.property(someReceipt, someCancel, somePresence, (receipt, cancel, presence) => {
        expect(parseReceipt(sent(encodeReceipt(receipt)))).toEqual(receipt);
        expect(parseCancel(sent(encodeCancel(cancel)))).toEqual(cancel);
        expect(parsePresence(sent(encodePresence(presence)))).toEqual(presence);
      }),
    );
  });

  it("names the same decider", () => {
    fc.assert(
      fc.property(someDecider, (source) => {
        expect(parseDecidedBy(sent(JSON.stringify(source)))).toEqual(source);
      }),
    );
  });

  it("reads the same ask whatever malformed parts are put beside it", () => {
    const parts = ["payload", "sessionApproval", "accessIntent", "origin", "path", "toolCallId"];
    fc.assert(
      fc.property(someAsk, fc.subarray(parts), (ask, spoiled) => {
        const body = { ...(sent(encodeAsk(ask)) as object), ...spoil(spoiled) };
        const parsed = parseAsk(subjectOf(ask), body);
        expect(parsed).toEqual({ ok: true, ask: remainder(ask, spoiled) });
      }),
    );
  });
});

describe("an ask without its nonce", () => {
  it("differs from the ask in the nonce alone, and knows it again", () => {
    fc.assert(
      fc.property(someAsk, someAsk, (ask, other) => {
        const body = encodeAsk(ask);
        const stored = withoutNonce(body);
        const { nonce, ...rest } = ask;
        expect(stored).toBe(body.replace(`,"nonce":"${nonce}",`, ',"nonce":"",'));
        expect(readStoredAsk(subjectOf(ask), stored)).toEqual(rest);
        expect(isNonceOf(stored, bytesDigest(body), nonce)).toBe(true);
        expect(isNonceOf(stored, bytesDigest(body), other.nonce)).toBe(other.nonce === nonce);
      }),
    );
  });

  it("keeps every other member of any JSON object to the byte", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (fields, secret) => {
        const { nonce: _, ...rest } = fields;
        const text = JSON.stringify({ ...rest, nonce: secret });
        const { nonce, ...kept } = JSON.parse(withoutNonce(text)) as Record<string, unknown>;
        expect(nonce).toBe("");
        expect(JSON.stringify(kept)).toBe(JSON.stringify(JSON.parse(JSON.stringify(rest))));
      }),
    );
  });
});
