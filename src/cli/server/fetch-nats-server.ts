import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder } from "../../journal/make-folder.ts";
import { type FindOptions, lastLine, PACKAGED_BINARY, serverCache } from "./nats-program.ts";

const APT_LISTS = "/var/lib/apt/lists";
const FETCH_LIMIT_MS = 600_000;

/**
 * Fetches the platform's nats-server package and unpacks it into the cache; nothing is installed. Several
 * processes may do so at once: each unpacks into a folder of its own and the first one's name stands.
 * Resolves to the binary, or to null with the reason added to `reasons`.
 */
export async function fetchIntoCache(
  options: FindOptions,
  reasons: string[],
): Promise<string | null> {
  for (const tool of ["apt-get", "dpkg-deb"]) {
    if ((await options.run(tool, ["--version"])).code !== 0) {
      reasons.push(`apt-get: ${tool} is not there`);
      return null;
    }
  }
  try {
    const root = serverCache(options);
    makeFolder(root);
    const work = await mkdtemp(join(root, ".fetch-"));
    try {
      return await fetchThrough(work, root, options);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  } catch (error) {
    reasons.push(`apt-get: ${error instanceof Error ? error.message : "failed"}`);
    return null;
  }
}

async function fetchThrough(work: string, root: string, options: FindOptions): Promise<string> {
  options.note(`fetching nats-server with apt-get into ${root}`);
  if (await hasNoLists(options.aptLists ?? APT_LISTS)) {
    if (!options.isRoot)
      throw new Error("its package lists are empty and only root may update them");
    await must(options, ["apt-get", "update"], work);
  }
  await must(options, ["apt-get", "download", "nats-server"], work);
  const file = (await readdir(work)).find((name) => name.endsWith(".deb"));
  if (file === undefined) throw new Error("the download left no package");
  const unpacked = join(work, "unpacked");
  await must(options, ["dpkg-deb", "-x", join(work, file), unpacked], work);
  const target = join(root, basename(file, ".deb"));
  await rename(unpacked, target).catch((error: unknown) => {
    // Somebody else was faster with the same package.
    if (!isOccupied(error)) throw error;
  });
  return join(target, PACKAGED_BINARY);
}

async function must(
  options: FindOptions,
  [command = "", ...args]: readonly string[],
  cwd: string,
): Promise<void> {
  const { code, stdout, stderr } = await options.run(command, args, {
    cwd,
    limitMs: FETCH_LIMIT_MS,
  });
  if (code !== 0) {
    throw new Error(`${command} ${args[0] ?? ""} failed: ${lastLine(stderr) || lastLine(stdout)}`);
  }
}

async function hasNoLists(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return !names.some((name) => name.includes("_Packages"));
}

function isOccupied(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOTEMPTY" || error.code === "EEXIST")
  );
}
