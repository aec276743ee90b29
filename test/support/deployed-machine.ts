import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import { freePort } from "../../src/cli/server/ports.ts";
import { canSyncEachSecond } from "../../src/cli/server/server-config.ts";
import { type RunningProgram, runProgram } from "./askfabric.ts";
import { guard } from "./nats-launcher.ts";
import { tempFolder } from "./temp-folder.ts";
import { lay, prepareUnit } from "./unit-file.ts";

/** A machine set up as the how-to says, below a folder of a test's own. Leaving its scope ends what runs there. */
export interface DeployedMachine extends AsyncDisposable {
  readonly url: string;
  /** Path of a file of that machine. */
  file(path: string): string;
  /** Runs what the server's unit runs. */
  startServer(): void;
  /** What the server said so far. */
  serverLog(): string;
  /** Runs what a unit of the product runs. */
  start(unit: string, instance?: string): RunningProgram;
  /** Runs a command as a person of that machine. */
  run(...args: readonly string[]): RunningProgram;
}

const SECRETS = fileURLToPath(new URL("../../deploy/make-secrets.sh", import.meta.url));

/** Lays the files of `deploy` out; nothing runs yet. */
export async function deployMachine(program: NatsProgram): Promise<DeployedMachine> {
  const folder = tempFolder();
  const root = folder.path;
  const url = `nats://127.0.0.1:${String(await freePort())}`;
  const file = (path: string): string => join(root, path);
  const jetstream = canSyncEachSecond(program.version) ? "jetstream.conf" : "jetstream-2.9.conf";
  lay(root, "deploy/nats/nats.conf", "etc/askfabric/nats.conf");
  lay(root, `deploy/nats/${jetstream}`, "etc/askfabric/jetstream.conf");
  lay(root, "deploy/examples/rules.json", "etc/askfabric/parents/lead.json");
  const conf = file("etc/askfabric/nats.conf");
  // The usual port may be taken on the machine that tests.
  const text = readFileSync(conf, "utf8").replace("127.0.0.1:4222", url.slice("nats://".length));
  writeFileSync(conf, text);
  writeFileSync(file("etc/askfabric/environment"), `ASKFABRIC_URL=${url}\n`);
  execFileSync("sh", [SECRETS, file("etc/askfabric/secrets")]);

  const log = file("nats.log");
  writeFileSync(log, "");
  const programs: RunningProgram[] = [];
  let server: ChildProcess | null = null;
  const keep = (running: RunningProgram): RunningProgram => {
    programs.push(running);
    return running;
  };
  return {
    url,
    file,
    startServer: () => {
      const { args } = prepareUnit("askfabric-nats.service", { root });
      const out = openSync(log, "a");
      server = spawn(program.command, args, { stdio: ["ignore", out, out] });
      closeSync(out);
      server.once("exit", guard(server));
    },
    serverLog: () => readFileSync(log, "utf8"),
    start: (unit, instance) => {
      const { args, env } = prepareUnit(unit, { root, ...(instance ? { instance } : {}) });
      return keep(runProgram(args, { env, cwd: "/" }));
    },
    run: (...args) => keep(runProgram(args, { env: { ASKFABRIC_URL: url }, cwd: root })),
    [Symbol.asyncDispose]: async () => {
      for (const running of programs) await running[Symbol.asyncDispose]();
      const ending = server;
      if (ending !== null && ending.exitCode === null) {
        const gone = new Promise((resolve) => ending.once("exit", resolve));
        ending.kill("SIGKILL");
        await gone;
      }
      folder[Symbol.dispose]();
    },
  };
}
