import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import { type AuditServer, startAuditServer } from "../support/audit-server.ts";
import { aFolder } from "../support/journal-parts.ts";
import { keeping, openWriter, runSink } from "../support/sink-process.ts";
import { until } from "../support/until.ts";

/** More than a stream hands out to a reader that acknowledges none. */
const FLOOD = 4_200;

/** Publishes under a header whose name no library takes apart: servers look at none of it. */
async function floodByHand({ server, prefix }: AuditServer): Promise<void> {
  const head = "NATS/1.0\r\na b: c\r\n\r\n";
  const subject = `${prefix}.audit.mallory.review`;
  const sizes = `${String(head.length)} ${String(head.length + 4)}`;
  const message = (k: number): string =>
    `HPUB ${subject} ${sizes}\r\n${head}${String(k).padStart(4, "0")}\r\n`;
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "data");
  let heard = "";
  socket.on("data", (bytes: Buffer) => {
    heard += bytes.toString("latin1");
  });
  const user = { user: "askfabric", pass: "t0ken", headers: true, verbose: false };
  socket.write(`CONNECT ${JSON.stringify(user)}\r\n`);
  socket.write(Array.from({ length: FLOOD }, (_, k) => message(k)).join(""));
  socket.write("PING\r\n");
  await until("the server to have taken all", () => heard.includes("PONG"), 20_000);
  socket.destroy();
  expect(heard).not.toContain("-ERR");
}

it("messages whose headers cannot be taken apart are set aside, and what comes behind them is kept", async () => {
  using folder = aFolder();
  const store = join(folder.path, "records.sqlite");
  await using audit = await startAuditServer();
  await using _sink = await keeping(runSink(audit, store, { data: folder.path }));
  await floodByHand(audit);
  await using writer = await openWriter(audit, folder.path, "honest");
  writer.write(100);
  await using reads = await openSqliteReads(store);
  const held = { records: 100, deadLetters: FLOOD };
  await until(
    "all of it in the store",
    async () => isDeepStrictEqual(await reads.counts(), held),
    30_000,
  );
  expect(await reads.counts()).toEqual(held);
}, 120_000);
