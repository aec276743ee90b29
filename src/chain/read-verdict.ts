import type { LinkVerdict } from "../ask/ports.ts";
import { repeatsKey } from "../ask/repeated-key.ts";

/** Longest reason of a link that is told and kept, in UTF-16 units; what is longer is cut. */
const MAX_REASON = 2_000;

/** Largest answer of a link outside this process, in bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** Reads what a link answered; null for anything but the three verdicts. Never throws. */
export function readVerdict(answer: unknown): LinkVerdict | null {
  if (typeof answer !== "object" || answer === null) return null;
  const kind = ownValue(answer, "kind");
  if (kind === "defer") return { kind };
  if (kind !== "allow" && kind !== "deny") return null;
  const reason = ownValue(answer, "reason");
  return typeof reason === "string" ? { kind, reason: bounded(reason) } : { kind };
}

/**
 * Reads the one JSON object that a command or an endpoint answers with.
 *
 * @throws Error saying what it is instead.
 */
export function readAnswerText(bytes: Uint8Array): LinkVerdict {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error("it answered no UTF-8 text", { cause: error });
  }
  if (text.trim() === "") throw new Error("it answered nothing");
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw new Error("it answered something else than one JSON value", { cause: error });
  }
  // The parser takes the last of two; which one was meant is not for this program to say.
  if (repeatsKey(text)) throw new Error("it answered twice");
  const verdict = readVerdict(answer);
  if (verdict === null) throw new Error("it answered neither allow nor deny nor defer");
  return verdict;
}

/** What a command and an endpoint are sent about one ask. */
export function questionText(
  link: { readonly name: string; readonly options: Readonly<Record<string, unknown>> },
  details: object,
): string {
  return JSON.stringify({ v: 1, link: link.name, options: link.options, details });
}

/** An accessor may throw; that is no verdict either. */
function ownValue(answer: object, key: string): unknown {
  try {
    return Object.hasOwn(answer, key) ? Reflect.get(answer, key) : undefined;
  } catch {
    return undefined;
  }
}

/** The reason travels and is kept: it must fit into a message and be well-formed. */
function bounded(reason: string): string {
  const whole = reason.toWellFormed();
  return whole.length <= MAX_REASON ? whole : `${whole.slice(0, MAX_REASON).toWellFormed()}…`;
}
