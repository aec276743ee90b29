import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../src/cli/server/ports.ts";
import { canSyncEachSecond } from "../../src/cli/server/server-config.ts";
import { type Line, runProgram } from "../support/askfabric.ts";
import { type ComposeService, readCompose } from "../support/compose-file.ts";
import { openConsumer } from "../support/consumer.ts";
import { docker, imageOfProgram, NO_ENGINE, runArguments } from "../support/containers.ts";
import { testServer } from "../support/nats-servers.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

const DEPLOY = fileURLToPath(new URL("../../deploy", import.meta.url));
const network = `askfabric-${randomBytes(4).toString("hex")}`;

// Whoever runs the tests without it is told what was not tested.
if (NO_ENGINE !== null) process.stderr.write(`skipped: ${NO_ENGINE}\n`);

/** Root makes the files of somebody else; everybody else makes their own. */
const uid = process.getuid?.() || 65_534;

describe.skipIf(NO_ENGINE !== null)("the compose file on a container engine", () => {
  let site: TempFolder;
  let port: number;
  let services: ReadonlyMap<string, ComposeService> = new Map();
  const images = ["server", "node", "program"].map((part) => `${network}:${part}`);
  const [serverImage = "", base = "", image = ""] = images;
  const compose = (): string => join(site.path, "compose");

  const start = (name: string, ...flags: readonly string[]): number | null => {
    const service = services.get(name);
    if (service === undefined) throw new Error(`the compose file has no ${name}`);
    const args = runArguments(name, service, { folder: compose(), network });
    return spawnSync("docker", ["run", ...flags, ...args], { stdio: "ignore" }).status;
  };
  const says = async (name: string): Promise<void> => {
    await until(
      `${name} is ready`,
      () => docker("logs", `${network}-${name}`).includes('"ready":true'),
      30_000,
    );
  };

  beforeAll(async () => {
    const server = await testServer();
    site = tempFolder();
    cpSync(DEPLOY, site.path, { recursive: true });
    if (!canSyncEachSecond(server.version)) {
      const [older, usual] = ["jetstream-2.9.conf", "jetstream.conf"] as const;
      cpSync(join(site.path, "nats", older), join(site.path, "nats", usual));
    }
    execFileSync("sh", [join(site.path, "make-secrets.sh"), join(compose(), "secrets")]);
    for (const name of ["nats", "audit", "lead"]) {
      mkdirSync(join(compose(), "state", name), { recursive: true });
    }
    execFileSync("chown", ["-R", `${String(uid)}:${String(uid)}`, compose()]);
    execFileSync("chmod", ["755", site.path]);
    imageOfProgram(server.command, "/nats-server", serverImage);
    imageOfProgram(process.execPath, "/usr/local/bin/node", base);
    await using package_ = await openConsumer();
    cpSync(join(DEPLOY, "compose", "Dockerfile"), join(package_.folder, "Dockerfile"));
    docker("build", "--quiet", "--build-arg", `BASE=${base}`, "--tag", image, package_.folder);
    port = await freePort();
    services = readCompose(join(compose(), "compose.yaml"), {
      ASKFABRIC_USER: `${String(uid)}:${String(uid)}`,
      ASKFABRIC_NATS_IMAGE: serverImage,
      ASKFABRIC_IMAGE: image,
      ASKFABRIC_PORT: String(port),
    });
    docker("network", "create", network);
  }, 300_000);

  afterAll(() => {
    for (const name of services.keys()) {
      spawnSync("docker", ["rm", "--force", "--volumes", `${network}-${name}`]);
    }
    spawnSync("docker", ["network", "rm", network]);
    spawnSync("docker", ["rmi", "--force", ...images]);
    site[Symbol.dispose]();
  }, 60_000);

  it("starts, judges an ask of a session beside it, and keeps the records", async () => {
    expect(start("nats", "--detach")).toBe(0);
    await until("the audit stream", () => start("provision", "--rm") === 0, 60_000);
    expect(start("audit", "--detach")).toBe(0);
    expect(start("lead", "--detach")).toBe(0);
    await says("audit");
    await says("lead");
    using home = tempFolder();
    const token = join(home.path, "token");
    cpSync(join(compose(), "secrets", "token"), token);
    const who = ["--session", "worker", "--parent", "lead", "--data", home.path];
    const call = ["--tool", "bash", "--input", '{"command":"git status --short"}'];
    const server = ["--url", `nats://127.0.0.1:${String(port)}`, "--token-file", token];
    await using ask = runProgram(["ask", ...who, ...call, ...server]);
    expect(await ask.ended(20_000)).toBe(0);
    const store = join(compose(), "state", "audit", "records.sqlite");
    const kept = await until(
      "the records of both ends",
      async () => {
        await using list = runProgram(["audit", "list", "--store", store, "--all", "--json"]);
        await list.ended();
        return ["worker", "lead"].every((session) => list.lines.some(isEndOf(session)));
      },
      30_000,
    );
    expect(kept).toBe(true);
  }, 180_000);
});

/** Says whether a record tells that a session let the ask through. */
function isEndOf(session: string): (line: Line) => boolean {
  const events = ["forwarded_permission.response_received", "forwarded_permission.auto_approved"];
  return ({ record }) => {
    const of = record as { readonly session: string; readonly event: string };
    return of.session === session && events.includes(of.event);
  };
}
