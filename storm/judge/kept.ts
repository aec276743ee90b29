import { readStored, textIn, valueIn } from "../../src/audit/read-record.ts";
import type { AuditReads } from "../../src/store/store.ts";

/** One record as the sink kept it, by what is judged of it. */
export interface Kept {
  readonly session: string;
  readonly n: number;
  /** Event of a review entry, else the kind. */
  readonly name: string;
  readonly requestId: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What all sessions recorded of each request, in the order of each session's chain. */
export interface KeptRecords {
  readonly byRequest: ReadonlyMap<string, readonly Kept[]>;
  /** Request ids of each tool call. */
  readonly requestsOf: ReadonlyMap<string, readonly string[]>;
}

const PAGE = 1_000;

/** Reads all records of a store. */
export async function readKept(reads: AuditReads): Promise<KeptRecords> {
  const kept: Kept[] = [];
  for (let place = 0; ; ) {
    const page = await reads.list({}, place, PAGE);
    for (const stored of page) {
      const record = readStored(stored);
      if (record === null || record.head.requestId === null) continue;
      const { session, n, kind, requestId } = record.head;
      const name = textIn(record, "event") ?? kind;
      kept.push({ session, n, name, requestId, content: record.content ?? {} });
    }
    const last = page.at(-1);
    if (last === undefined) break;
    place = last.place;
  }
  kept.sort((one, other) => one.n - other.n);
  const requestsOf = new Map<string, string[]>();
  for (const { content, requestId } of kept) {
    const call = valueIn({ content }, "toolCallId");
    if (typeof call !== "string") continue;
    const known = requestsOf.get(call) ?? [];
    if (!known.includes(requestId)) known.push(requestId);
    requestsOf.set(call, known);
  }
  return { byRequest: Map.groupBy(kept, ({ requestId }) => requestId), requestsOf };
}
