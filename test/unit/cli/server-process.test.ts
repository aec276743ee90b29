import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NatsProgram } from "../../../src/cli/server/nats-program.ts";
import {
  containerName,
  launchServer,
  type ServerProcess,
} from "../../../src/cli/server/server-process.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { until } from "../../support/until.ts";

const VERSION = { major: 2, minor: 10, patch: 0, text: "2.10.0" };

/** Launches a shell script in the place of a server. */
function launch(folder: string, script: string, more?: Partial<NatsProgram>): ServerProcess {
  const command = join(folder, "script");
  writeFileSync(command, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o700);
  return launchServer({
    program: {
      kind: "binary",
      command,
      image: null,
      version: VERSION,
      source: "path",
      ...more,
    },
    configFile: "/data/server/nats.conf",
    folder: "/data/server",
    port: 4222,
    outputFile: join(folder, "out"),
    env: { PATH: "/usr/bin:/bin" },
  });
}

const outputIn = (folder: string): string => readFileSync(join(folder, "out"), "utf8");

describe("the process of a server", () => {
  it("gets its configuration's place and nothing else", async () => {
    using folder = tempFolder();
    const server = launch(folder.path, 'echo "$@"; env | grep -i secret');
    expect(await server.ended).toEqual({ code: 1, signal: null, expected: false });
    expect(outputIn(folder.path)).toBe("-c /data/server/nats.conf\n");
  });

  it("runs in a container that only the loopback reaches and that goes with its end", async () => {
    using folder = tempFolder();
    const server = launch(folder.path, 'echo "$@"', { kind: "container", image: "nats:2" });
    await server.ended;
    const words = outputIn(folder.path).trim().split(" ");
    expect(words[0]).toBe("run");
    expect(words).toContain("--rm");
    expect(words).toContain(`--name=${containerName("/data/server")}`);
    expect(words).toContain("--publish=127.0.0.1:4222:4222");
    expect(words).toContain("--volume=/data/server:/data/server");
    expect(words.slice(-3)).toEqual(["nats:2", "-c", "/data/server/nats.conf"]);
  });

  it("has a container name of its own for each folder", () => {
    expect(containerName("/a")).toMatch(/^askfabric-[0-9a-f]{16}$/);
    expect(containerName("/a")).not.toBe(containerName("/b"));
  });

  it("ends when it is asked to, and its end counts as expected", async () => {
    using folder = tempFolder();
    const server = launch(folder.path, "echo up; exec sleep 60");
    await until("its start", () => outputIn(folder.path) === "up\n");
    await server.stop(10_000);
    expect(await server.ended).toEqual({ code: null, signal: "SIGTERM", expected: true });
  });

  it("is ended by force when it does not listen", async () => {
    using folder = tempFolder();
    const server = launch(folder.path, "trap '' TERM; echo up; while :; do sleep 0.05; done");
    await until("its start", () => outputIn(folder.path) === "up\n");
    await server.stop(50);
    expect(await server.ended).toEqual({ code: null, signal: "SIGKILL", expected: true });
  });

  it("that cannot be started has ended", async () => {
    using folder = tempFolder();
    const server = launch(folder.path, "", { command: "/nowhere/nats-server" });
    expect(server.pid).toBeNull();
    expect(await server.ended).toEqual({ code: null, signal: null, expected: false });
    await server.stop(50);
  });
});
