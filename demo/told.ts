import { effectiveDecider } from "../src/ask/decision.ts";
import type { RequestOutcome } from "../src/ask/outcome.ts";
import { textIn } from "../src/audit/read-record.ts";
import { type Story, storyOf } from "../src/audit/story.ts";
import type { AuditReads } from "../src/store/store.ts";
import { DemoError } from "./demo-error.ts";
import type { PlayedCall } from "./play.ts";

/** One request of a call, with what the store tells of it. */
export interface ToldRequest {
  readonly request: RequestOutcome;
  readonly story: Story;
  /** The reason of whoever denied; null where none was given. */
  readonly reason: string | null;
}

/** A call with the stories of all its requests. */
export interface ToldCall extends PlayedCall {
  readonly requests: readonly ToldRequest[];
}

/** Looks up what the store tells of each call. @throws DemoError when it tells nothing of a request. */
export async function tellCalls(
  reads: AuditReads,
  played: readonly PlayedCall[],
): Promise<readonly ToldCall[]> {
  const told: ToldCall[] = [];
  for (const one of played) {
    const requests: ToldRequest[] = [];
    for (const request of one.outcome.requests) requests.push(await tellRequest(reads, request));
    told.push({ ...one, requests });
  }
  return told;
}

async function tellRequest(reads: AuditReads, request: RequestOutcome): Promise<ToldRequest> {
  const story = await storyOf(reads, request.requestId);
  if (story === null) {
    throw new DemoError(`the store has no record of ${request.requestId} (${request.value})`);
  }
  const reasons = story.entries.map(({ record }) => textIn(record, "denialReason"));
  return { request, story, reason: reasons.find((reason) => reason !== null) ?? null };
}

/** How somebody decided a request, wherever that was. */
export function deciderOf({ decidedBy }: RequestOutcome): ReturnType<typeof effectiveDecider> {
  return effectiveDecider(decidedBy);
}
