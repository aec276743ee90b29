import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Link, LinkQuery, LinkVerdict, Log } from "../ask/ports.ts";
import { LinkVacantError, wordsOf } from "./link-failure.ts";
import { readVerdict } from "./read-verdict.ts";

/** What came of asking one link. */
export type LinkAnswer =
  | { readonly kind: "answered"; readonly verdict: LinkVerdict }
  | { readonly kind: "failed" | "vacant"; readonly reason: string };

/** What a link is asked with. */
export interface LinkQuestion {
  readonly details: PromptPermissionDetails;
  readonly query: LinkQuery;
  readonly log: Log;
  /** Aborting it takes the question back. */
  readonly signal: AbortSignal;
  /** Longest time, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Asks one link and waits at most `timeoutMs`. At the deadline, and when `signal` is aborted, the link's own
 * signal is aborted and whatever it says later is ignored. Never rejects.
 */
export async function askLink(link: Link, question: LinkQuestion): Promise<LinkAnswer> {
  const { signal, timeoutMs } = question;
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
    return await Promise.race([ended.promise, judge(link, question, own.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

async function judge(
  link: Link,
  { details, query, log }: LinkQuestion,
  signal: AbortSignal,
): Promise<LinkAnswer> {
  try {
    const verdict = readVerdict(await link.judge(details, query, log, signal));
    return verdict === null
      ? { kind: "failed", reason: "it answered neither allow nor deny nor defer" }
      : { kind: "answered", verdict };
  } catch (error) {
    const kind = error instanceof LinkVacantError ? "vacant" : "failed";
    return { kind, reason: wordsOf(error) };
  }
}
