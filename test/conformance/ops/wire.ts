import { type AskSubject, parseAsk } from "../../../src/wire/ask.ts";
import { readJson } from "../../../src/wire/body.ts";
import { parseDecidedBy } from "../../../src/wire/decider.ts";
import { parseDecision } from "../../../src/wire/decision.ts";
import { bytesDigest, canonicalDigest } from "../../../src/wire/digest.ts";
import { parsePayload } from "../../../src/wire/payload.ts";
import { proofMatches, proofOf } from "../../../src/wire/proof.ts";
import { encodeToken } from "../../../src/wire/token.ts";
import type { Ops } from "./ops.ts";

type RawOrParsed = { body: unknown } | { text: string };

interface ProofInput {
  nonce: string;
  subject: string;
  body: string;
  proof?: unknown;
}

const valueOf = (input: RawOrParsed): unknown =>
  "text" in input ? readJson(input.text) : input.body;

/** Operations on the wire room. */
export const wireOps: Ops = {
  parsePayload: ({ payload }: { payload: unknown }) => ({ payload: parsePayload(payload) }),
  parseAsk: (input: { subject: AskSubject } & RawOrParsed) => {
    const parsed = parseAsk(input.subject, valueOf(input));
    return parsed.ok ? parsed : { ok: false, reason: parsed.reason, fields: parsed.fields };
  },
  parseDecision: (input: { rid: string } & RawOrParsed) => {
    const decision = parseDecision(input.rid, valueOf(input));
    return decision === null ? { ok: false } : { ok: true, decision };
  },
  parseDecidedBy: ({ decidedBy }: { decidedBy: unknown }) => ({
    decidedBy: parseDecidedBy(decidedBy),
  }),
  encodeToken: ({ value }: { value: string }) => ({ token: encodeToken(value) }),
  proof: ({ nonce, subject, body, proof }: ProofInput) => {
    const message = { subject, body: Buffer.from(body, "utf8") };
    const valid = proof === undefined ? {} : { valid: proofMatches(nonce, message, proof) };
    return { proof: proofOf(nonce, message), ...valid };
  },
  askDigest: ({ body }: { body: string }) => ({ askDigest: bytesDigest(body) }),
  digest: ({ value }: { value: unknown }) => canonicalDigest(value),
};
