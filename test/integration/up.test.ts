import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Bus } from "../../src/bus/bus.ts";
import { connect } from "../../src/bus/connect.ts";
import { readJoin } from "../../src/cli/join.ts";
import { freePort, isPortFree } from "../../src/cli/server/ports.ts";
import { allServers, testServer } from "../support/nats-servers.ts";
import { kinds, listen } from "../support/port-harness.ts";
import { type Program, startProgram } from "../support/program.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

const PROGRAM = fileURLToPath(new URL("../support/up-program.ts", import.meta.url));
const server = await testServer();
const servers = await allServers();

interface Started extends AsyncDisposable {
  readonly program: Program;
  readonly url: string;
  readonly port: number;
  readonly join: string;
}

function begin(data: string, port?: number, binary = server.command): Program {
  const tail = port === undefined ? [] : [String(port)];
  return startProgram(process.execPath, [PROGRAM, data, binary, ...tail]);
}

async function up(data: string, port?: number, binary = server.command): Promise<Started> {
  const program = begin(data, port, binary);
  expect(await program.told("ready")).toBe(true);
  const url = String(await program.told("url"));
  const end = async (): Promise<void> => {
    program.process.kill("SIGTERM");
    await program.ended();
  };
  return {
    program,
    url,
    port: Number(url.split(":").at(-1)),
    join: String(await program.told("join")),
    [Symbol.asyncDispose]: end,
  };
}

/** Servers that run below a folder, by process. */
function serversIn(folder: string): number[] {
  const config = `-c\0${join(folder, "server", "nats.conf")}\0`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandOf(name).endsWith(config))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** A data folder that takes every server on it along when it goes. */
function dataFolder(): TempFolder {
  const folder = tempFolder();
  return {
    path: folder.path,
    [Symbol.dispose]: () => {
      for (const pid of serversIn(folder.path)) process.kill(pid, "SIGKILL");
      folder[Symbol.dispose]();
    },
  };
}

/** The one server that runs below a folder. */
function theServerIn(folder: string): number {
  const [pid, ...others] = serversIn(folder);
  if (pid === undefined || others.length > 0) throw new Error("not exactly one server runs");
  return pid;
}

/** Connects as somebody who was given the join file. */
async function joined(file: string): Promise<Bus> {
  const join = readJoin(file);
  if (join === null || !("token" in join)) throw new Error(`${file} holds no token`);
  return connect({ servers: join.url, token: join.token, fleet: join.fleet });
}

async function canJoin(file: string): Promise<boolean> {
  await using bus = await joined(file);
  return await bus.port.flush(5_000);
}

describe("askfabric up", () => {
  it.each(servers)(
    "runs nats-server $version.text, says so in one line and lets people join",
    async ({ command, version }) => {
      using folder = dataFolder();
      await using started = await up(folder.path, undefined, command);
      expect(started.program.lines).toEqual([
        {
          ready: true,
          url: started.url,
          fleet: "default",
          join: join(folder.path, "join.json"),
          data: folder.path,
          server: version.text,
          store: join(folder.path, "audit", "records.sqlite"),
        },
      ]);
      await using bus = await joined(started.join);
      expect(bus.port.maxPayloadBytes).toBe(512 * 1024);
      expect(bus.prefix).toBe("af.v1.default");
      expect(await bus.port.flush(5_000)).toBe(true);
    },
  );

  it("keeps the token where this user alone can read it, and nowhere else", async () => {
    using folder = dataFolder();
    await using started = await up(folder.path);
    const token = readFileSync(join(folder.path, "token"), "utf8").trim();
    expect(Buffer.from(token, "base64url").length).toBe(32);
    const modes = ["token", "join.json", "server/nats.conf"].map(
      (name) => statSync(join(folder.path, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(join(folder.path, "server")).mode & 0o777).toBe(0o700);
    const pid = theServerIn(folder.path);
    const seen = [
      readFileSync(join(folder.path, "server", "nats.log"), "utf8"),
      commandOf(String(pid)),
      readFileSync(`/proc/${String(pid)}/environ`, "utf8"),
      started.program.errors(),
      JSON.stringify(started.program.lines),
    ];
    expect(seen.filter((text) => text.includes(token))).toEqual([]);
  });

  it("lets nobody in without the token", async () => {
    using folder = dataFolder();
    await using started = await up(folder.path);
    await expect(connect({ servers: started.url })).rejects.toMatchObject({
      code: "bus_auth_refused",
    });
    await expect(connect({ servers: started.url, token: "x" })).rejects.toMatchObject({
      code: "bus_auth_refused",
    });
  });

  it("lets no session reach a stream's interface", async () => {
    using folder = tempFolder();
    await using started = await up(folder.path);
    await using bus = await joined(started.join);
    const events = listen(bus.port);
    bus.port.publish("$JS.API.STREAM.INFO.AUDIT", new Uint8Array(), { reply: "reply" });
    await until("the refusal", () => kinds(events).includes("publish_refused"));
    expect(await bus.port.flush(5_000)).toBe(true);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("leaves nothing running after %s", async (signal) => {
    using folder = dataFolder();
    await using started = await up(folder.path);
    expect(serversIn(folder.path).length).toBe(1);
    started.program.process.kill(signal);
    expect(await started.program.ended()).toBe(0);
    expect(serversIn(folder.path)).toEqual([]);
    expect(await isPortFree(started.port)).toBe(true);
  });

  it("ends at once and cleanly when it is told to while it starts", async () => {
    using folder = dataFolder();
    await using program = begin(folder.path);
    await until("the server", () => serversIn(folder.path).length > 0);
    program.process.kill("SIGTERM");
    expect(await program.ended()).toBe(0);
    expect(serversIn(folder.path)).toEqual([]);
  });

  it("starts again onto the same token, port and data", async () => {
    using folder = dataFolder();
    const first = await up(folder.path);
    const before = readFileSync(first.join, "utf8");
    await first[Symbol.asyncDispose]();
    await using second = await up(folder.path);
    expect(readFileSync(second.join, "utf8")).toBe(before);
    expect(second.url).toBe(first.url);
  });

  it("moves to another port when it is told to", async () => {
    using folder = dataFolder();
    const first = await up(folder.path);
    await first[Symbol.asyncDispose]();
    const port = await freePort();
    await using second = await up(folder.path, port);
    expect(second.port).toBe(port);
    expect(await canJoin(second.join)).toBe(true);
  });

  it("replaces the server that a killed run left behind, and its clients come back", async () => {
    using folder = dataFolder();
    await using first = await up(folder.path);
    await using bus = await joined(first.join);
    const events = listen(bus.port);
    const name = bus.port.serverName;
    await first.program.kill();
    const left = theServerIn(folder.path);
    expect(bus.port.connected()).toBe(true);
    await using second = await up(folder.path);
    expect(second.url).toBe(first.url);
    expect(serversIn(folder.path)).not.toContain(left);
    expect(serversIn(folder.path).length).toBe(1);
    await until("the client", () => kinds(events).includes("reconnected"), 15_000);
    expect(bus.port.serverName).not.toBe(name);
    expect(await bus.port.flush(5_000)).toBe(true);
  });

  it("replaces a left-over server even when that one is halted", async () => {
    using folder = dataFolder();
    await using first = await up(folder.path);
    await first.program.kill();
    const left = theServerIn(folder.path);
    process.kill(left, "SIGSTOP");
    await using second = await up(folder.path);
    expect(serversIn(folder.path).length).toBe(1);
    expect(await canJoin(second.join)).toBe(true);
  });

  it("never runs a second server on a data folder", async () => {
    using folder = dataFolder();
    await using first = await up(folder.path);
    await using second = begin(folder.path);
    expect(await second.ended()).toBe(1);
    expect(second.errors()).toMatch(/another "askfabric up" runs on .*--data/);
    expect(second.errors()).toContain(folder.path);
    expect(await canJoin(first.join)).toBe(true);
  });

  it("starts a server again that was killed, on the same port", async () => {
    using folder = dataFolder();
    await using started = await up(folder.path);
    const pid = theServerIn(folder.path);
    process.kill(pid, "SIGKILL");
    await until("another server", () => serversIn(folder.path).some((one) => one !== pid));
    await until("its answer", async () => canJoin(started.join), 15_000);
    expect(started.program.errors()).toContain("nats-server ended by itself");
    expect(started.program.lines.length).toBe(1);
  });

  it("refuses a port that somebody else uses, naming it and the way out", async () => {
    using folder = dataFolder();
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    await using program = begin(folder.path, port);
    expect(await program.ended()).toBe(1);
    expect(program.errors()).toMatch(new RegExp(`port ${String(port)} .* taken .*--port`));
    other.close();
  });

  it("refuses a token file that others can read", async () => {
    using folder = dataFolder();
    writeFileSync(join(folder.path, "token"), "t");
    chmodSync(join(folder.path, "token"), 0o644);
    await using program = begin(folder.path);
    expect(await program.ended()).toBe(1);
    expect(program.errors()).toMatch(/token.* open to other users .*chmod 600/);
  });

  it("refuses a data folder that cannot be one", async () => {
    using folder = dataFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    await using program = begin(file);
    expect(await program.ended()).toBe(1);
    expect(program.errors()).toMatch(/file cannot be used as data folder .*--data/);
  });

  it("says what the server said when it does not start", async () => {
    using folder = dataFolder();
    const binary = join(folder.path, "fake-server");
    writeFileSync(
      binary,
      '#!/bin/sh\n[ "$1" = --version ] && echo "nats-server: v2.10.1" && exit\necho "no more room" >&2\nexit 3\n',
    );
    chmodSync(binary, 0o755);
    await using program = begin(folder.path, undefined, binary);
    expect(await program.ended()).toBe(1);
    expect(program.errors()).toMatch(/ended while it started: no more room; see .*nats\.log/);
  });
});
