import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fetchIntoCache } from "./fetch-nats-server.ts";
import {
  type FindOptions,
  lastLine,
  type NatsProgram,
  PACKAGED_BINARY,
  serverCache,
} from "./nats-program.ts";
import type { RunCommand } from "./run-command.ts";
import { ServerError } from "./server-error.ts";
import {
  compareVersions,
  isAtLeast,
  OLDEST_SERVER,
  parseServerVersion,
  type ServerVersion,
} from "./server-version.ts";

const IMAGE = "docker.io/library/nats:2.10-alpine";
const IMAGE_VERSION: ServerVersion = { major: 2, minor: 10, patch: 0, text: "2.10.0" };

/**
 * Finds a nats-server: the one named, else on the `PATH` or in `/usr/sbin`, else in the cache, else fetched
 * into the cache with the platform's package tools and without touching the system, else from brew, else as
 * a container.
 *
 * @throws {@link ServerError} `server_unusable` for a named program that is none, `server_not_found` when
 * every way failed.
 */
export async function findNatsServer(options: FindOptions): Promise<NatsProgram> {
  if (options.named !== null) return takeNamed(options.named, options.run);
  const onPath = await firstUsable(pathCandidates(options), "path", options.run);
  if (onPath) return onPath;
  const cached = await newestCached(options);
  if (cached) return cached;
  const reasons: string[] = [];
  const fetched = await fetchIntoCache(options, reasons);
  if (fetched) {
    const program = await firstUsable([fetched], "package", options.run);
    if (program) return program;
    reasons.push("apt-get: the package holds no nats-server that runs here");
  }
  const further = (await fromBrew(options, reasons)) ?? (await fromContainer(options, reasons));
  if (further) return further;
  throw new ServerError(
    "server_not_found",
    `No nats-server ${OLDEST_SERVER} or newer on the PATH, in ${systemFolder(options)} or in ${serverCache(options)}, and none could be fetched (${reasons.join("; ")}): install nats-server, or name one with ASKFABRIC_NATS_SERVER.`,
  );
}

async function takeNamed(file: string, run: RunCommand): Promise<NatsProgram> {
  const version = await versionOf(file, run);
  if (version === null) {
    throw new ServerError(
      "server_unusable",
      `${file} is not a nats-server that runs here: name another with ASKFABRIC_NATS_SERVER, or unset it.`,
    );
  }
  if (!isAtLeast(version, OLDEST_SERVER)) {
    throw new ServerError(
      "server_unusable",
      `${file} is nats-server ${version.text}, and ${OLDEST_SERVER} or newer is needed: name another with ASKFABRIC_NATS_SERVER, or unset it.`,
    );
  }
  return { kind: "binary", command: file, image: null, version, source: "named" };
}

function pathCandidates(options: FindOptions): string[] {
  const folders = options.path.split(delimiter).filter((folder) => folder !== "");
  return [...folders, systemFolder(options)].map((folder) => join(folder, "nats-server"));
}

function systemFolder(options: FindOptions): string {
  return options.systemFolder ?? "/usr/sbin";
}

async function newestCached(options: FindOptions): Promise<NatsProgram | null> {
  const root = serverCache(options);
  const names = await readdir(root).catch(() => []);
  const found: NatsProgram[] = [];
  for (const name of names.filter((one) => !one.startsWith("."))) {
    const program = await usable(join(root, name, PACKAGED_BINARY), "cache", options.run);
    if (program) found.push(program);
  }
  found.sort((one, other) => compareVersions(other.version, one.version));
  return found[0] ?? null;
}

async function fromBrew(options: FindOptions, reasons: string[]): Promise<NatsProgram | null> {
  const there = await options.run("brew", ["--version"]);
  if (there.code !== 0) {
    reasons.push("brew: not there");
    return null;
  }
  options.note("fetching nats-server with brew");
  const installed = await options.run("brew", ["install", "--quiet", "nats-server"], {
    limitMs: 600_000,
  });
  const prefix = await options.run("brew", ["--prefix", "nats-server"]);
  const binary = join(prefix.stdout.trim(), "bin", "nats-server");
  const program = prefix.code === 0 ? await usable(binary, "brew", options.run) : null;
  if (program === null)
    reasons.push(`brew: ${lastLine(installed.stderr) || "gave no nats-server"}`);
  return program;
}

async function fromContainer(options: FindOptions, reasons: string[]): Promise<NatsProgram | null> {
  for (const command of ["docker", "podman"]) {
    const there = await options.run(command, ["info"]);
    if (there.code === 0) {
      options.note(`using ${command} with ${IMAGE}`);
      return {
        kind: "container",
        command,
        image: IMAGE,
        version: IMAGE_VERSION,
        source: "container",
      };
    }
  }
  reasons.push("docker, podman: not there or not running");
  return null;
}

async function firstUsable(
  files: readonly string[],
  source: NatsProgram["source"],
  run: RunCommand,
): Promise<NatsProgram | null> {
  for (const file of files) {
    const program = await usable(file, source, run);
    if (program) return program;
  }
  return null;
}

async function usable(
  file: string,
  source: NatsProgram["source"],
  run: RunCommand,
): Promise<NatsProgram | null> {
  if (!(await isExecutable(file))) return null;
  const version = await versionOf(file, run);
  if (version === null || !isAtLeast(version, OLDEST_SERVER)) return null;
  return { kind: "binary", command: file, image: null, version, source };
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(file: string, run: RunCommand): Promise<ServerVersion | null> {
  const { code, stdout } = await run(file, ["--version"], { limitMs: 10_000 });
  return code === 0 ? parseServerVersion(stdout) : null;
}
