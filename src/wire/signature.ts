import type { KeyObject } from "node:crypto";
import { type SigningKey, signatureMatchesKey, verifierOf } from "./nkey.ts";
import type { ProvenBytes } from "./proof.ts";

/** What a signature over a message is worth. */
export type SignatureFinding = "signed" | "unsigned" | "forged";

/** Signs a message: Ed25519 over what its proof covers, in base64url; 86 characters. */
export function signatureOf(key: SigningKey, message: ProvenBytes): string {
  return Buffer.from(key.sign(signedBytes(message))).toString("base64url");
}

/**
 * Opens the check of messages that one of these keys must have signed.
 *
 * @throws TypeError naming what is no public key of a user.
 */
export function openSignatureCheck(
  publicKeys: readonly string[],
): (message: ProvenBytes, signature: string | undefined) => SignatureFinding {
  const verifiers = publicKeys.map((key): KeyObject => {
    const verifier = key.startsWith("U") ? verifierOf(key) : null;
    if (verifier === null) throw new TypeError(`${JSON.stringify(key)} is no public key of a user`);
    return verifier;
  });
  return (message, signature) => {
    if (signature === undefined) return "unsigned";
    if (!FORM.test(signature)) return "forged";
    const data = signedBytes(message);
    const bytes = Buffer.from(signature, "base64url");
    return verifiers.some((key) => signatureMatchesKey(key, data, bytes)) ? "signed" : "forged";
  };
}

const FORM = /^[A-Za-z0-9_-]{86}$/;

function signedBytes({ subject, body }: ProvenBytes): Buffer {
  return Buffer.concat([Buffer.from(`${subject}\0`, "utf8"), body]);
}
