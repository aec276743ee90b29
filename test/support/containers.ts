import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ComposeService } from "./compose-file.ts";
import { mountsOf } from "./compose-file.ts";
import { tempFolder } from "./temp-folder.ts";

/** Why nothing can be started in a container here; null when it can. */
export const NO_ENGINE: string | null =
  spawnSync("docker", ["info"]).status === 0
    ? null
    : "no container engine answers `docker info`: start one to run this";

/** Runs `docker` and returns its output. */
export function docker(...args: readonly string[]): string {
  return execFileSync("docker", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DOCKER_BUILDKIT: "0" },
  }).trim();
}

/** Makes an image of one program of this machine and the libraries it needs: none need be fetched. */
export function imageOfProgram(program: string, target: string, tag: string): void {
  using folder = tempFolder();
  const put = (from: string, to: string): void => {
    const file = join(folder.path, "root", to);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(from, file);
  };
  put(program, target);
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  for (const library of stdout.match(/\/\S+/g) ?? []) put(library, library);
  const lines = ["FROM scratch", "COPY root /", `ENTRYPOINT ["${target}"]`, ""];
  writeFileSync(join(folder.path, "Dockerfile"), lines.join("\n"));
  docker("build", "--quiet", "--tag", tag, folder.path);
}

/** What `docker run` takes for a service, as compose would start it. */
export function runArguments(
  name: string,
  service: ComposeService,
  on: { readonly folder: string; readonly network: string },
): readonly string[] {
  const { user, read_only, cap_drop = [], security_opt = [], tmpfs = [], ports = [] } = service;
  const each = (flag: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [flag, value]);
  const mounts = mountsOf(service).map(
    ({ source, target, writable }) =>
      `${join(on.folder, source)}:${target}${writable ? "" : ":ro"}`,
  );
  const environment = Object.entries(service.environment ?? {});
  return [
    "--name",
    `${on.network}-${name}`,
    "--network",
    on.network,
    "--network-alias",
    name,
    ...each("--user", user === undefined ? [] : [user]),
    ...(read_only === true ? ["--read-only"] : []),
    ...each("--cap-drop", cap_drop),
    ...each("--security-opt", security_opt),
    ...each("--tmpfs", tmpfs),
    ...each("--publish", ports),
    ...each("--volume", mounts),
    ...each(
      "--env",
      environment.map(([key, value]) => `${key}=${value}`),
    ),
    service.image,
    ...service.command,
  ];
}
