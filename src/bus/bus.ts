import type { ProvenBytes } from "../wire/proof.ts";
import type { SignatureFinding } from "../wire/signature.ts";
import type { BusPort } from "./port.ts";

/** A connection together with the fleet it speaks in. */
export interface Bus extends AsyncDisposable {
  readonly port: BusPort;
  /** 1 to 4 encoded tokens, such as `af.v1.default`. */
  readonly prefix: string;
  /** What is signed here and whose signatures are demanded; absent: proofs alone. */
  readonly signatures?: Signatures;
}

/** Signatures over what parents say to their children, beside the proofs. */
export interface Signatures {
  /** Signs a message of this end; null where it signs nothing. */
  readonly sign: ((message: ProvenBytes) => string) | null;
  /** What the signature of a message to this end is worth; null where none is demanded. */
  readonly check:
    | ((message: ProvenBytes, signature: string | undefined) => SignatureFinding)
    | null;
}
