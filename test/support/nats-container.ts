import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GenericContainer, Wait } from "testcontainers";
import { freePort } from "../../src/cli/server/ports.ts";
import { canSyncEachSecond } from "../../src/cli/server/server-config.ts";
import { parseServerVersion } from "../../src/cli/server/server-version.ts";
import { docker, NO_ENGINE } from "./containers.ts";
import { tempFolder } from "./temp-folder.ts";

/** The image that servers of container tests are made of. */
export const NATS_IMAGE = process.env["ASKFABRIC_NATS_IMAGE"] || "nats:2.10.27-alpine";

const PULL_MS = 120_000;

/** Why no server can be started in a container here; null when one can. Fetches the image where it is absent. */
export const NO_CONTAINER: string | null = NO_ENGINE ?? reasonAgainstImage();

function reasonAgainstImage(): string | null {
  if (spawnSync("docker", ["image", "inspect", NATS_IMAGE]).status === 0) return null;
  const options = { encoding: "utf8", timeout: PULL_MS, killSignal: "SIGKILL" } as const;
  const { status, stderr } = spawnSync("docker", ["pull", "--quiet", NATS_IMAGE], options);
  if (status === 0) return null;
  const why = stderr.trim().split("\n").at(-1) || `not fetched within ${String(PULL_MS)} ms`;
  return `${NATS_IMAGE} is not here and cannot be fetched (${why}); ASKFABRIC_NATS_IMAGE names another image`;
}

/** A nats-server in a container, with the accounts of `deploy`. Leaving its scope removes it. */
export interface ContainerServer extends AsyncDisposable {
  readonly url: string;
  readonly version: string;
  /** Path of a secret: `token`, `sink.secret` or `provisioner.secret`. */
  secret(name: string): string;
  /** What it logged so far. */
  log(): string;
  /** Ends it as a power cut would, and runs it again on the same port and data. */
  kill(): void;
  start(): void;
  /** Halts all of it in mid-air; connections stay open and silent. */
  pause(): void;
  resume(): void;
}

const deployed = (name: string): string =>
  fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));

/** Starts one and waits until it says that it is ready. */
export async function startContainer(): Promise<ContainerServer> {
  const folder = tempFolder();
  execFileSync("sh", [deployed("make-secrets.sh"), folder.path]);
  const secret = (name: string): string => join(folder.path, name);
  const printed = docker("run", "--rm", NATS_IMAGE, "--version");
  const version = parseServerVersion(printed);
  if (version === null) throw new Error(`${NATS_IMAGE} holds no nats-server: ${printed}`);
  const jetstream = canSyncEachSecond(version) ? "jetstream.conf" : "jetstream-2.9.conf";
  const file = (name: string, from: string): { target: string; content: string } => ({
    target: `/etc/askfabric/${name}`,
    content: readFileSync(from, "utf8"),
  });
  // A port that the engine picks is another one after each start.
  const port = await freePort();
  // The ready-made container for NATS gives its server a single user, which no server with accounts takes.
  const config = ["--config", "/etc/askfabric/nats.conf"];
  const started = await new GenericContainer(NATS_IMAGE)
    .withCommand([...config, "--addr", "0.0.0.0", "--store_dir", "/state"])
    .withWaitStrategy(Wait.forLogMessage("Server is ready"))
    .withExposedPorts({ container: 4222, host: port })
    .withCopyContentToContainer([
      file("nats.conf", deployed("nats/nats.conf")),
      file("jetstream.conf", deployed(`nats/${jetstream}`)),
      file("secrets.conf", secret("secrets.conf")),
    ])
    .start();
  const id = started.getId();
  return {
    url: `nats://${started.getHost()}:${String(port)}`,
    version: version.text,
    secret,
    log: () => {
      const { stdout, stderr } = spawnSync("docker", ["logs", id], { encoding: "utf8" });
      return stdout + stderr;
    },
    kill: () => void docker("kill", id),
    start: () => void docker("start", id),
    pause: () => void docker("pause", id),
    resume: () => void docker("unpause", id),
    [Symbol.asyncDispose]: async () => {
      docker("rm", "--force", "--volumes", id);
      await Promise.resolve(folder[Symbol.dispose]());
    },
  };
}
