import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { type ConnectOptions, readConnectOptions } from "../../src/bus/connect-options.ts";
import { startConnection } from "../../src/bus/start-connection.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import { serveRole } from "../frame/serve-role.ts";

const BATCH = 1_000;

interface Head {
  readonly eventId: string;
  readonly session: string;
  readonly n: number;
  readonly kind: string;
  readonly requestId: string | null;
  readonly time: number;
}

/** The bare loop of fetch, parse, insert and acknowledge, with nothing checked, into the same table. */
await serveRole(
  async ({
    url,
    folder,
    ...shown
  }: { url: string; folder: string } & Pick<ConnectOptions, "user" | "pass">) => {
    const settings = readConnectOptions({ servers: url, session: "sink", ...shown });
    const { connection } = await startConnection(settings);
    const { consumers } = await jetstreamManager(connection, { checkAPI: false });
    let round = 0;
    return {
      keep: async ({ count }: { count: number }) => {
        round += 1;
        const file = join(folder, `bare-${String(round)}.sqlite`);
        await (await openSqliteStore(file))[Symbol.asyncDispose]();
        using database = new DatabaseSync(file);
        database.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000");
        const insert = insertInto(database);
        const begun = performance.now();
        const name = `bare_${String(round)}`;
        await consumers.add("AUDIT", {
          durable_name: name,
          ack_policy: AckPolicy.Explicit,
          max_ack_pending: 4_000,
        });
        const consumer = await jetstream(connection).consumers.get("AUDIT", name);
        for (let kept = 0; kept < count; ) {
          const messages = await consumer.fetch({
            max_messages: Math.min(BATCH, count - kept),
            expires: 2_000,
          });
          const batch: JsMsg[] = [];
          for await (const message of messages) batch.push(message);
          database.exec("BEGIN");
          for (const message of batch) insert(message);
          database.exec("COMMIT");
          for (const message of batch) message.ack();
          kept += batch.length;
        }
        return count / ((performance.now() - begun) / 1000);
      },
    };
  },
);

function insertInto(database: DatabaseSync): (message: JsMsg) => void {
  const row = database.prepare(
    `INSERT INTO record (event_id, session, n, kind, event, request_id, wire_id, tool_call_id, time,
       header, salt, body, sequence, taken_at, kept_at)
     VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?, ?, ?, 0, 0)`,
  );
  return ({ data, headers, seq }) => {
    const header = Buffer.from(headers?.get("Af-Record") ?? "", "base64url");
    const head = JSON.parse(header.toString()) as Head;
    const { event } = JSON.parse(Buffer.from(data).toString()) as { event: string };
    const salt = Buffer.from(headers?.get("Af-Salt") ?? "", "base64url");
    const id = Buffer.from(head.eventId, "hex");
    const { session, n, kind, requestId, time } = head;
    row.run(id, session, n, kind, event, requestId, time, header, salt, data, seq);
  };
}
