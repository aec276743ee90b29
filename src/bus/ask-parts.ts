import { canonicalDigest } from "../wire/digest.ts";

export { mintNonce } from "../wire/proof.ts";

/** What an action digest is taken of. */
export interface DigestedAction {
  /** The tool's name; null for a skill that the person's own input loads. */
  readonly tool: string | null;
  readonly input: unknown;
  readonly cwd: string;
}

/**
 * Base64url SHA-256 of the RFC 8785 form of `{tool, input, cwd}`.
 *
 * @throws TypeError when the input has no such form, for example with half a surrogate pair in a text.
 */
export function actionDigest({ tool, input, cwd }: DigestedAction): string {
  return canonicalDigest({ tool, input, cwd }).digest;
}
