import type { SigningKey } from "../wire/nkey.ts";
import type { ProvenBytes } from "../wire/proof.ts";
import { openSignatureCheck, signatureOf } from "../wire/signature.ts";
import type { Signatures } from "./bus.ts";
import { type Credentials, keyOf } from "./credentials.ts";

/** What connect options say about signatures. */
export interface ReadSignatures {
  readonly signatures: Signatures;
  /** Reads the key anew, as each connect does: a credential may have been issued again. */
  readonly refresh: () => void;
}

/** Reads what connect options say about signatures; what is wrong with it goes to `faults`. */
export function readSignatures(
  options: Credentials & {
    readonly signDecisions?: boolean;
    readonly requireSigners?: readonly string[];
  },
  faults: string[],
): ReadSignatures {
  const { signDecisions = false, requireSigners = [] } = options;
  const check = requireSigners.length === 0 ? null : checkOf(requireSigners, faults);
  if (!signDecisions) return { signatures: { sign: null, check }, refresh: () => undefined };
  let key = readKey(options);
  if (key === null && options.creds === undefined) faults.push(NO_KEY);
  const sign = (message: ProvenBytes): string => {
    if (key === null) throw new Error("there is no key to sign with");
    return signatureOf(key, message);
  };
  return {
    signatures: { sign, check },
    refresh: () => {
      key = readKey(options) ?? key;
    },
  };
}

const NO_KEY =
  'signDecisions needs credentials with a key, as "askfabric creds add" issues them; give creds, or leave signDecisions out.';

function readKey(credentials: Credentials): SigningKey | null {
  try {
    return keyOf(credentials);
  } catch {
    // What is wrong with them is told by whoever reads them to connect.
    return null;
  }
}

function checkOf(publicKeys: readonly string[], faults: string[]): Signatures["check"] {
  try {
    return openSignatureCheck(publicKeys);
  } catch (error) {
    const named = error instanceof TypeError ? error.message : "one of them is none";
    faults.push(
      `requireSigners: ${named}; "askfabric creds show --json" tells the public keys of a fleet.`,
    );
    return null;
  }
}
