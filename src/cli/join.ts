import { statSync } from "node:fs";
import { join as joinPath } from "node:path";
import type { Join } from "./connection.ts";
import { CommandError } from "./failure.ts";
import { readPrivateFile } from "./private-file.ts";
import { writePrivateFile } from "./private-write.ts";

/** Where the data of this user's sessions and servers lies when nothing else is said. */
export function defaultDataFolder(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const state = env["XDG_STATE_HOME"];
  return joinPath(state?.startsWith("/") ? state : joinPath(home, ".local", "state"), "askfabric");
}

/** The join file of a data folder. */
export function joinFileOf(dataFolder: string): string {
  return joinPath(dataFolder, "join.json");
}

/**
 * Reads a join file; null when it is not there.
 *
 * @throws {@link CommandError} when other users can read it, when it belongs to another user, or when it is no
 * join file. Its token stands in no message.
 */
export function readJoin(path: string): Join | null {
  if (isAbsent(path)) return null;
  const text = readPrivateFile(path, "the join file");
  const join = parseJoin(text);
  if (join !== null) return join;
  throw new CommandError(
    `the join file ${path} holds neither {"url","fleet","token"} nor {"url","fleet","name","role","creds"}, each a text; start "askfabric up" on its folder again, have it issued again with "askfabric creds rotate", or name another with --join`,
  );
}

/** A file behind a folder that this user may not enter is there as far as anybody knows: reading it then says why. */
function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Writes a join file that this user alone can read, at once or not at all. */
export function writeJoin(path: string, join: Join): void {
  // Its own fields and nothing else that may lie in the object.
  const own = parseJoin(JSON.stringify(join));
  writePrivateFile(path, `${JSON.stringify(own, null, 2)}\n`);
}

function parseJoin(text: string): Join | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const given = value as Readonly<Record<string, unknown>>;
  const { ca } = given;
  if (ca !== undefined && typeof ca !== "string") return null;
  const join = pick(given, ["url", "fleet", "token"]) ?? pick(given, ISSUED);
  return join === null || ca === undefined ? join : { ...join, ca };
}

const ISSUED = ["url", "fleet", "name", "role", "creds"] as const;

/** The texts of these keys; null unless each is one. */
function pick(given: Readonly<Record<string, unknown>>, keys: readonly string[]): Join | null {
  const texts = keys.map((key) => [key, Object.hasOwn(given, key) ? given[key] : undefined]);
  const filled = texts.every(([, one]) => typeof one === "string" && one !== "");
  return filled ? (Object.fromEntries(texts) as Join) : null;
}
