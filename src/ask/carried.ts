import { createHash } from "node:crypto";
import type { PromptEvidence, PromptPayload } from "./payload.ts";

/** How much of an entry that was too large still travels, in UTF-8 bytes. */
export const CARRIED_BYTES = 2_048;

const MARK = "not carried: ";

/** Says whether only the beginning of an entry came along; its detail then names size and digest. */
export function isNotCarried(evidence: PromptEvidence): boolean {
  return evidence.detail?.startsWith(MARK) === true;
}

/** Says whether any evidence of a payload was too large to come along whole. No link may allow such an ask. */
export function isIncomplete(payload: PromptPayload): boolean {
  return payload.evidence.some(isNotCarried);
}

/**
 * Makes a payload smaller by its largest entry of evidence that still is whole: its first 2 KiB stay, and its
 * detail becomes `not carried: N bytes, sha256 DIGEST` (base64url). Core and annotations are never touched.
 *
 * @returns Null when no entry is left that could become smaller.
 */
export function shedEvidence(payload: PromptPayload): PromptPayload | null {
  const sizes = payload.evidence.map((entry) =>
    isNotCarried(entry) ? 0 : Buffer.byteLength(entry.text, "utf8"),
  );
  const largest = Math.max(0, ...sizes);
  if (largest <= CARRIED_BYTES) return null;
  const at = sizes.indexOf(largest);
  const evidence = payload.evidence.map((entry, i) => (i === at ? shorten(entry) : entry));
  return Object.freeze({ ...payload, evidence: Object.freeze(evidence) });
}

function shorten({ label, text }: PromptEvidence): PromptEvidence {
  const bytes = Buffer.from(text, "utf8");
  const digest = createHash("sha256").update(bytes).digest("base64url");
  return Object.freeze({
    label,
    text: beginningOf(bytes),
    detail: `${MARK}${bytes.length} bytes, sha256 ${digest}`,
  });
}

/** The longest beginning within the limit that ends between two characters. */
function beginningOf(bytes: Buffer): string {
  let end = CARRIED_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}
