import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import { testServer } from "./nats-servers.ts";
import { until } from "./until.ts";

/** A nats-server of a test's own, on a free port of the loopback. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** What it logged so far. */
  log(): string;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Runs it again on the same port and data. */
  start(): Promise<void>;
  /** Halts it in mid-air; connections stay open and silent. */
  pause(): void;
  resume(): void;
  /** Makes it announce its end. */
  lameDuck(): void;
  /** Replaces the lines of {@link TestServerOptions.config}; they count from the next `start` or `reload`. */
  configure(config: string): void;
  /** Makes it read its configuration again while it runs. */
  reload(): void;
}

/** How a test's server is set up. */
export interface TestServerOptions {
  /** @defaultValue what `testServer` finds */
  readonly program?: NatsProgram;
  /** Lines added to its configuration, such as accounts. */
  readonly config?: string;
  /** @defaultValue a free one */
  readonly port?: number;
}

/** Ends a server when this process dies, however it dies. Returns the way to call that off. */
export function guard(server: ChildProcess): () => void {
  const script = "cat > /dev/null; kill -9 $0";
  const watch = spawn("sh", ["-c", script, String(server.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watch.stdin.on("error", () => null);
  watch.unref();
  return () => watch.kill("SIGKILL");
}

/** Starts a server and waits until it greets. */
export async function startNats(options: TestServerOptions = {}): Promise<TestServer> {
  const program = options.program ?? (await testServer());
  const folder = mkdtempSync(join(tmpdir(), "askfabric-nats-"));
  const name = `test-${randomBytes(6).toString("hex")}`;
  const configFile = join(folder, "nats.conf");
  const logFile = join(folder, "nats.log");
  let port = options.port ?? -1;
  let config = options.config ?? "";
  let child: ChildProcess | null = null;

  const log = (): string => readFileSync(logFile, "utf8");
  const writeConfig = (): void => {
    const lines = [`listen: "127.0.0.1:${String(port)}"`, `server_name: ${name}`];
    writeFileSync(configFile, [...lines, "max_payload: 524288", config].join("\n"));
  };
  const start = async (): Promise<void> => {
    writeConfig();
    const out = openSync(logFile, "a");
    const started = spawn(program.command, ["-c", configFile], { stdio: ["ignore", out, out] });
    closeSync(out);
    child = started;
    started.once("exit", guard(started));
    await until("the server's greeting", async () => {
      if (started.exitCode !== null) throw new Error(`nats-server did not start:\n${log()}`);
      port = port > 0 ? port : readPort(log());
      return port > 0 && (await greeting(port)).includes(`"server_name":"${name}"`);
    });
  };
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null) return;
    const gone = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill("SIGCONT");
    ending.kill(signal);
    await gone;
  };
  const signal = (which: NodeJS.Signals) => () => {
    child?.kill(which);
  };

  const server: TestServer = {
    get port() {
      return port;
    },
    get url() {
      return `nats://127.0.0.1:${String(port)}`;
    },
    name,
    version: program.version.text,
    folder,
    log,
    start,
    stop: async () => {
      await end("SIGTERM");
    },
    kill: async () => {
      await end("SIGKILL");
    },
    pause: signal("SIGSTOP"),
    resume: signal("SIGCONT"),
    lameDuck: signal("SIGUSR2"),
    configure: (next) => {
      config = next;
    },
    reload: () => {
      writeConfig();
      child?.kill("SIGHUP");
    },
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await start();
  return server;
}

function readPort(log: string): number {
  return Number(/Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(log)?.[1] ?? -1);
}

async function greeting(port: number): Promise<string> {
  const result = Promise.withResolvers<string>();
  const socket = dial(port, "127.0.0.1");
  socket.setTimeout(1_000, () => socket.destroy());
  socket.once("data", (data) => {
    result.resolve(data.toString());
    socket.destroy();
  });
  socket.on("error", () => {
    result.resolve("");
  });
  socket.once("close", () => {
    result.resolve("");
  });
  return result.promise;
}
