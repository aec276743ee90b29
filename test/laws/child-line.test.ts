import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeDec } from "../../src/wire/encode.ts";
import { mintNonce } from "../../src/wire/proof.ts";
import { aDecision, anAsk } from "../support/asks.ts";
import { openChild, proofFor } from "../support/line-harness.ts";
import { someDecision, someDecMessage } from "../support/wire-arbitraries.ts";

const ASK = anAsk();
const rid = fc.constantFrom(ASK.id, "perm-8");
const parent = fc.constantFrom("parent-1", "parent-2");

/** What somebody without the nonce can make of a proof. */
const forgedProof = fc.oneof(
  fc.constantFrom<"none" | "own" | "moved">("none", "own", "moved"),
  fc.string(),
);

const body = fc.oneof(
  someDecMessage.map(encodeDec),
  someDecision.map((decision) =>
    encodeDec({ kind: "decision", message: { ...decision, requestId: ASK.id } }),
  ),
  fc.constant(encodeDec({ kind: "decision", message: aDecision() })),
  fc.json(),
  fc.string(),
);

function headersOf(proof: string, subject: string, said: string): Record<string, string> {
  if (proof === "none") return {};
  if (proof === "own") return { "Af-Proof": proofFor(mintNonce(), subject, said) };
  if (proof === "moved") return { "Af-Proof": proofFor(ASK.nonce, `${subject}x`, said) };
  return { "Af-Proof": proof.replaceAll(/[\r\n]/g, "") };
}

describe("a child whose nonce nobody else has", () => {
  it("hears no verdict, no acceptance and no proven loss, whatever is said", async () => {
    const said = fc.record({ parent, rid, proof: forgedProof, body });
    await fc.assert(
      fc.asyncProperty(fc.array(said, { maxLength: 20 }), async (messages) => {
        const at = openChild();
        at.hold();
        for (const one of messages) {
          const subject = `af.v1.test.dec.${one.parent}.child-1.${one.rid}`;
          const headers = headersOf(one.proof, subject, one.body);
          at.stranger.publish(subject, Buffer.from(one.body), { headers });
        }
        await at.settle();
        const harmless = ["unproven_refused", "withdrawn", "stray_decision"];
        for (const inbound of at.heard) {
          expect(harmless).toContain(inbound.kind);
          expect(inbound).not.toMatchObject({ kind: "withdrawn", message: { requestId: ASK.id } });
        }
        const dropped = Object.values(at.child.dropped());
        const count = dropped.reduce((sum, n) => sum + n, 0);
        expect(count + at.heard.length).toBe(messages.length);
      }),
    );
  });
});
