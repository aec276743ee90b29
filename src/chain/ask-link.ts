import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Link, LinkVerdict } from "../ask/ports.ts";

/** What came of asking one link. */
export type LinkAnswer =
  | { readonly kind: "answered"; readonly verdict: LinkVerdict }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Asks one link and waits at most `timeoutMs`. At the deadline, and when `signal` is aborted, the link's own
 * signal is aborted and whatever it says later is ignored. Never rejects.
 */
export async function askLink(
  link: Link,
  details: PromptPermissionDetails,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<LinkAnswer> {
  const own = new AbortController();
  const abort = (): void => own.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const ended = Promise.withResolvers<LinkAnswer>();
  own.signal.addEventListener("abort", () => {
    ended.resolve({ kind: "failed", reason: "the ask was taken back" });
  });
  const timer = setTimeout(() => {
    ended.resolve({ kind: "failed", reason: `no answer within ${timeoutMs} ms` });
    own.abort(new Error(`no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([ended.promise, judge(link, details, own.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

async function judge(
  link: Link,
  details: PromptPermissionDetails,
  signal: AbortSignal,
): Promise<LinkAnswer> {
  try {
    const verdict = readVerdict(await link.judge(details, signal));
    return verdict === null
      ? { kind: "failed", reason: "it answered neither allow nor deny nor defer" }
      : { kind: "answered", verdict };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : "it threw" };
  }
}

/** Reads what a link answered; null for anything but the three verdicts. */
function readVerdict(answer: unknown): LinkVerdict | null {
  if (typeof answer !== "object" || answer === null) return null;
  const kind: unknown = Object.hasOwn(answer, "kind") ? Reflect.get(answer, "kind") : null;
  if (kind === "defer") return { kind };
  if (kind !== "allow" && kind !== "deny") return null;
  const reason: unknown = Object.hasOwn(answer, "reason") ? Reflect.get(answer, "reason") : null;
  return typeof reason === "string" ? { kind, reason } : { kind };
}
