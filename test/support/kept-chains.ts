import { createHash, hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RecordHeader, RecordKind } from "../../src/ask/record.ts";
import { sessionToken } from "../../src/bus/tokens.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import type { AuditStore, NewRecord } from "../../src/store/store.ts";
import { aMessage } from "./stored-records.ts";
import { tempFolder } from "./temp-folder.ts";

/** What one record of a chain says. */
export interface Said {
  readonly event?: string;
  readonly kind?: RecordKind;
  readonly requestId?: string | null;
  readonly time?: number;
  /** The process that says it. */
  readonly incarnation?: RecordHeader["incarnation"];
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A session's records, each pointing at the one before. */
export interface Chain {
  /** Makes the next record, ready for a store. */
  say(said: Said): NewRecord;
}

/** Begins the chain of a session. */
export function aChain(session: string): Chain {
  let n = 0;
  let prev: string | null = null;
  return {
    say: (said) => {
      const { event, kind = "review", requestId = "perm-1", time = n * 10, body = {} } = said;
      n += 1;
      const content = { ...(event === undefined ? {} : { event }), ...body };
      const bytes = Buffer.from(JSON.stringify(content));
      const salt = randomBytes(16);
      const eventId = randomBytes(16).toString("hex");
      const head: RecordHeader = {
        eventId,
        session,
        n,
        prev,
        kind,
        time,
        requestId,
        incarnation: said.incarnation ?? "1.a",
        bodyDigest: createHash("sha256").update(salt).update(bytes).digest("base64url"),
      };
      const header = Buffer.from(JSON.stringify(head));
      prev = hash("sha256", header, "base64url");
      const text = (key: string): string | null =>
        typeof body[key] === "string" ? (body[key] as string) : null;
      return {
        eventId,
        sessionToken: sessionToken(session),
        n,
        kind,
        event: event ?? null,
        requestId,
        wireId: text("wireId"),
        toolCallId: text("toolCallId"),
        time,
        header,
        salt,
        body: bytes,
        message: aMessage({ data: bytes }),
      };
    },
  };
}

/** A store of a test's own. */
export interface KeptStore extends AsyncDisposable {
  readonly store: AuditStore;
  keep(...records: readonly NewRecord[]): Promise<void>;
  /** Changes the file behind the store's back. */
  tamper(sql: string): void;
}

/** Opens one. */
export async function aKeptStore(): Promise<KeptStore> {
  const folder = tempFolder();
  const file = join(folder.path, "records.sqlite");
  const store = await openSqliteStore(file);
  return {
    store,
    keep: async (...records) => {
      await store.append({ records, deadLetters: [] }, 1);
    },
    tamper: (sql) => {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The records of an ask that a person at a parent allowed, by the clocks of both. */
export function anAllowedAsk(clocks: { readonly lead?: number } = {}): {
  readonly worker: readonly NewRecord[];
  readonly lead: readonly NewRecord[];
} {
  const worker = aChain("worker");
  const lead = aChain("lead");
  const ahead = clocks.lead ?? 0;
  const of = { requesterSessionId: "worker", requesterAgentName: "reviewer" };
  const user = { kind: "user", via: "stdin" };
  const forwarded = { kind: "forwarded", responderSessionId: "lead", decision: user };
  const told = { result: "allow", resolution: "user_approved" };
  const to = { targetSessionId: "lead" };
  return {
    worker: [
      worker.say({
        event: "permission_request.waiting",
        time: 1_000,
        body: { surface: "bash", value: "git push", matchedPattern: null, toolCallId: "call-1" },
      }),
      worker.say({ event: "forwarded_permission.request_created", time: 1_000, body: to }),
      worker.say({
        event: "forwarded_permission.accepted",
        time: 1_020,
        body: { ...to, state: "human" },
      }),
      worker.say({
        event: "forwarded_permission.response_received",
        time: 5_040,
        body: { ...to, responderSessionId: "lead", state: "approved", decidedBy: user },
      }),
      worker.say({
        event: "permission_request.approved",
        time: 5_040,
        body: { resolution: "approved", decidedBy: forwarded },
      }),
      worker.say({ kind: "decision", time: 5_041, body: { ...told, decidedBy: forwarded } }),
    ],
    lead: [
      lead.say({ event: "forwarded_permission.accepted", time: 1_010 + ahead, body: of }),
      lead.say({ event: "forwarded_permission.prompted", time: 1_015 + ahead, body: of }),
      lead.say({ kind: "ui_prompt", time: 1_015 + ahead, body: { surface: "bash" } }),
      lead.say({
        event: "forwarded_permission.approved",
        time: 5_030 + ahead,
        body: { ...of, decidedBy: user },
      }),
      lead.say({
        kind: "decision",
        time: 5_030 + ahead,
        body: { ...told, forwarding: { requesterSessionId: "worker", via: [] } },
      }),
    ],
  };
}
