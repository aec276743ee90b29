import { describe, expect, it } from "vitest";
import type { Signatures } from "../../../src/bus/bus.ts";
import { bytesDigest } from "../../../src/wire/digest.ts";
import { encodeDec } from "../../../src/wire/encode.ts";
import { mintKey } from "../../../src/wire/nkey.ts";
import { proofOf } from "../../../src/wire/proof.ts";
import { openSignatureCheck, signatureOf } from "../../../src/wire/signature.ts";
import { aDecision } from "../../support/asks.ts";
import { aFamily, type Family, shell } from "../../support/family.ts";
import { until } from "../../support/until.ts";

const LEAD = mintKey("user").key;
const OTHER = mintKey("user").key;

const signs = (key: typeof LEAD): Signatures => ({
  sign: (message) => signatureOf(key, message),
  check: null,
});
const demands = (...keys: readonly (typeof LEAD)[]): Signatures => ({
  sign: null,
  check: openSignatureCheck(keys.map(({ publicKey }) => publicKey)),
});

/** Whoever reads an ask knows its secret: the forgery has a right proof, and no signature. */
async function forgeByReader({ broker, parent: { incarnation } }: Family): Promise<void> {
  const asked = await until("the ask", () =>
    broker.log.find(({ subject }) => subject.includes(".ask.parent-1.")),
  );
  const { id, nonce } = JSON.parse(Buffer.from(asked.data).toString()) as {
    id: string;
    nonce: string;
  };
  const subject = `af.v1.test.dec.parent-1.child-1.${id}`;
  const about = { requestId: id, askDigest: bytesDigest(asked.data), incarnation };
  const message = aDecision(about);
  const body = Buffer.from(encodeDec({ kind: "decision", message }));
  const port = broker.connect();
  port.publish(subject, body, { headers: { "Af-Proof": proofOf(nonce, { subject, body }) } });
}

describe("a child that demands a signature", () => {
  it("takes what a key that it names has signed", async () => {
    const parent = { permission: { bash: { "git *": "allow" } } };
    await using family = await aFamily({
      parent: parent.permission,
      parentSignatures: signs(LEAD),
      childSignatures: demands(OTHER, LEAD),
    });
    expect((await family.decide(shell("git status"))).outcome).toBe("allowed");
  });

  it.each([
    { who: "nobody", parentSignatures: undefined, reason: "no_signature" },
    { who: "another key", parentSignatures: signs(OTHER), reason: "wrong_signature" },
  ])(
    "believes nothing that $who has signed, and says so once",
    async ({ parentSignatures, reason }) => {
      const warned: object[] = [];
      const log = {
        debug: () => undefined,
        info: () => undefined,
        error: () => undefined,
        warn: (fields: object) => warned.push(fields),
      };
      await using family = await aFamily({
        parent: { bash: { "git *": "allow" } },
        parentSignatures,
        childSignatures: demands(LEAD),
        childOptions: { forwardingTimeoutMs: 1_000, log },
      } as Parameters<typeof aFamily>[0]);
      const outcome = await family.decide(shell("git status"));
      expect(outcome).toMatchObject({ outcome: "lost", lost: "timed_out" });
      expect(warned.filter((fields) => "why" in fields)).toEqual([
        { parent: "parent-1", why: reason },
      ]);
    },
  );

  it("is not deceived by one who reads its ask, and one that demands none is", async () => {
    await using signed = await aFamily({
      parentSignatures: signs(LEAD),
      childSignatures: demands(LEAD),
    });
    const waiting = signed.decide(shell("rm -r x"));
    const { ask } = await signed.shown();
    await forgeByReader(signed);
    signed.terminal.deny(ask.details.requestId, "not this");
    expect(await waiting).toMatchObject({ outcome: "denied" });

    await using unsigned = await aFamily({});
    const deceived = unsigned.decide(shell("rm -r x"));
    await unsigned.shown();
    await forgeByReader(unsigned);
    expect(await deceived).toMatchObject({ outcome: "allowed" });
  });
});
