import type { StreamConfig } from "@nats-io/jetstream";
import { RECORD_STREAM } from "../wire/record.ts";
import { createSubjects } from "../wire/subjects.ts";

export { RECORD_STREAM };

/** Size of the audit stream when nobody says otherwise, in bytes. */
export const DEFAULT_STREAM_BYTES = 4 * 1024 * 1024 * 1024;

/** Most records of one session and kind that a stream holds. */
const MOST_PER_SUBJECT = 5_000_000;

const DAY_MS = 24 * 60 * 60 * 1000;
const NANOS = 1_000_000;

/** How long the stream keeps a record, in milliseconds. */
export const RECORD_MAX_AGE_MS = 30 * DAY_MS;

/** How long it knows a record's id, in milliseconds. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;

/** What an operator chooses about the audit stream. */
export interface StreamChoice {
  /** Prefix of the fleet whose records it takes. */
  readonly prefix: string;
  /** Most bytes it holds; null: {@link DEFAULT_STREAM_BYTES} when it is made, any limit when it is there. */
  readonly maxBytes: number | null;
  /** Copies in a cluster; null: 1 when it is made, any when it is there. */
  readonly replicas: number | null;
}

/** A setting of a stream that is there and not as records need it. */
export interface StreamDifference {
  readonly setting: string;
  readonly found: string;
  readonly wanted: string;
}

/** The configuration of a new audit stream. */
export function recordStreamConfig(
  choice: StreamChoice,
): Partial<StreamConfig> & Pick<StreamConfig, "name"> {
  return {
    name: RECORD_STREAM,
    subjects: [subjectOf(choice)],
    retention: "limits",
    storage: "file",
    discard: "new",
    discard_new_per_subject: true,
    max_age: RECORD_MAX_AGE_MS * NANOS,
    max_bytes: choice.maxBytes ?? DEFAULT_STREAM_BYTES,
    max_msgs_per_subject: MOST_PER_SUBJECT,
    duplicate_window: DUPLICATE_WINDOW_MS * NANOS,
    deny_delete: true,
    deny_purge: true,
    num_replicas: choice.replicas ?? 1,
  };
}

/** What about a stream that is there is not as records need it; empty when all is well. */
export function streamDifferences(
  found: Partial<StreamConfig>,
  choice: StreamChoice,
): readonly StreamDifference[] {
  const checks: readonly [keyof StreamConfig, boolean, string][] = [
    ["subjects", isOnly(found.subjects, subjectOf(choice)), subjectOf(choice)],
    ["retention", found.retention === "limits", "limits"],
    ["storage", found.storage === "file", "file"],
    ["discard", found.discard === "new", "new"],
    ["max_age", found.max_age === RECORD_MAX_AGE_MS * NANOS, "30 days"],
    ["max_bytes", isLimit(found.max_bytes, choice.maxBytes), wantedBytes(choice)],
    ["max_msgs", (found.max_msgs ?? -1) <= 0, "no limit"],
    ["max_msgs_per_subject", (found.max_msgs_per_subject ?? -1) > 0, "a limit"],
    ["discard_new_per_subject", found.discard_new_per_subject === true, "true"],
    ["max_msg_size", (found.max_msg_size ?? -1) <= 0, "no limit of its own"],
    [
      "duplicate_window",
      (found.duplicate_window ?? 0) >= DUPLICATE_WINDOW_MS * NANOS,
      "10 minutes or more",
    ],
    ["deny_delete", found.deny_delete === true, "true"],
    ["deny_purge", found.deny_purge === true, "true"],
    ["no_ack", found.no_ack !== true, "false"],
    ["allow_rollup_hdrs", found.allow_rollup_hdrs !== true, "false"],
    ["allow_msg_ttl", found.allow_msg_ttl !== true, "false"],
    ["allow_msg_counter", found.allow_msg_counter !== true, "false"],
    ["persist_mode", found.persist_mode !== "async", "default"],
    ["sealed", found.sealed !== true, "false"],
    ["republish", found.republish === undefined, "none"],
    ["mirror", found.mirror === undefined, "none"],
    ["sources", (found.sources ?? []).length === 0, "none"],
    ["subject_transform", found.subject_transform === undefined, "none"],
    ["num_replicas", isReplicas(found.num_replicas, choice.replicas), String(choice.replicas)],
  ];
  return checks.flatMap(([setting, holds, wanted]) =>
    holds ? [] : [{ setting, found: shown(setting, found[setting]), wanted }],
  );
}

function subjectOf({ prefix }: StreamChoice): string {
  return createSubjects(prefix).filter("audit", {});
}

function isOnly(found: readonly string[] | undefined, subject: string): boolean {
  return found?.length === 1 && found[0] === subject;
}

function isLimit(found: number | undefined, wanted: number | null): boolean {
  return wanted === null ? (found ?? -1) > 0 : found === wanted;
}

function isReplicas(found: number | undefined, wanted: number | null): boolean {
  return wanted === null || found === wanted;
}

function wantedBytes({ maxBytes }: StreamChoice): string {
  return maxBytes === null ? "a limit" : String(maxBytes);
}

function shown(setting: string, value: unknown): string {
  const nanos = setting === "max_age" || setting === "duplicate_window";
  if (nanos && typeof value === "number") return `${String(value / NANOS / 1000)} s`;
  return value === undefined ? "not set" : JSON.stringify(value);
}
