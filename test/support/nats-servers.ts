import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findNatsServer } from "../../src/cli/server/find-nats-server.ts";
import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import { runCommandUntil } from "../../src/cli/server/run-command.ts";

/** Finds the server tests run against: `ASKFABRIC_TEST_NATS` when set, else as the product finds one. */
export async function testServer(): Promise<NatsProgram> {
  return serverAt(null);
}

/** The server at a path; null: the one of {@link testServer}. */
export async function serverAt(path: string | null): Promise<NatsProgram> {
  const named = path ?? process.env["ASKFABRIC_TEST_NATS"] ?? "";
  return findWith(named === "" ? null : named);
}

/** The server tests run against and every further version that was laid out for tests. */
export async function allServers(): Promise<readonly NatsProgram[]> {
  const first = await testServer();
  const others: NatsProgram[] = [];
  for (const file of laidOut()) {
    const program = await findWith(file).catch(() => null);
    if (program) others.push(program);
  }
  const versions = new Map([...others, first].map((one) => [one.version.text, one]));
  return [...versions.values()];
}

function laidOut(): string[] {
  const root = join(homedir(), ".cache", "askfabric-test", "nats");
  try {
    return readdirSync(root).map((name) => join(root, name, "usr", "sbin", "nats-server"));
  } catch {
    return [];
  }
}

async function findWith(named: string | null): Promise<NatsProgram> {
  return findNatsServer({
    named,
    path: process.env["PATH"] ?? "",
    cache: join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "askfabric"),
    isRoot: process.getuid?.() === 0,
    run: runCommandUntil(),
    note: (text) => process.stderr.write(`${text}\n`),
  });
}
