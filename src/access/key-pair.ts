import type { KeyPair } from "@nats-io/jwt";
import type { SigningKey } from "../wire/nkey.ts";

/** A signing key as the library of JWTs takes it. Its seed is never handed over. */
export function keyPairOf(key: SigningKey): KeyPair {
  const none = (): never => {
    throw new Error("this key only signs");
  };
  return {
    getPublicKey: () => key.publicKey,
    // The library asks for it to learn whether the key can sign.
    getPrivateKey: () => NOTHING,
    getSeed: none,
    sign: (data) => key.sign(data),
    verify: none,
    clear: () => undefined,
    seal: none,
    open: none,
  };
}

const NOTHING = new Uint8Array();
