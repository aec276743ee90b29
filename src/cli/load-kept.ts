import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { makeFolder } from "../journal/make-folder.ts";

/** Where a program stands, and where what the engine compiled of it is kept. */
export interface KeptProgram {
  /** The file that nearly all of it stands in: in the older form of modules, of ASCII characters only. */
  readonly file: string;
  /** Folder that only this user can write to; made when it is not there. */
  readonly folder: string;
  /** Tells programs apart that run through other parts of the file. */
  readonly use: string;
}

/** What is older goes when something new is kept, in milliseconds: 30 days. */
const OLD_MS = 30 * 24 * 3_600_000;

/** Bytes of the digest before what is kept. */
const DIGEST_BYTES = 32;

/**
 * Loads a program with what earlier processes compiled of it, and has this one leave its own behind when there was
 * nothing of use. Node's own cache holds what is compiled before the first line runs: nearly all functions of a
 * program are compiled later, with their first call, which took a third of the time of a start.
 *
 * What is kept counts only for this very text, this Node and this use of it, and only whole.
 *
 * @returns What the file exports; null when it is not there. Throws what the program throws.
 */
export function loadKept(program: KeptProgram): unknown {
  const { file } = program;
  const text = readOrNull(file)?.toString("latin1");
  if (text === undefined) return null;
  const place = placeOf(program, text);
  const kept = readKept(place);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${text}\n})`,
    {
      filename: file,
      ...(kept === null ? {} : { cachedData: kept }),
    },
  );
  const module = new Module(file);
  module.filename = file;
  const require = createRequire(file);
  // The other files ask for this one by its name.
  require.cache[file] = module;
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run(module.exports, require, module, file, dirname(file));
  module.loaded = true;
  if (kept === null || script.cachedDataRejected === true) {
    process.once("exit", () => keep(place, script.createCachedData()));
  }
  return module.exports;
}

function placeOf({ folder, use }: KeptProgram, text: string): string {
  const { version, arch } = process;
  return join(
    folder,
    `${version}-${arch}-${digestOf(text).toString("hex").slice(0, 32)}-${use}.kept`,
  );
}

function readKept(place: string): Buffer | null {
  const found = isOurs(place) ? readOrNull(place) : null;
  if (found === null) return null;
  const data = found.subarray(DIGEST_BYTES);
  return digestOf(data).equals(found.subarray(0, DIGEST_BYTES)) ? data : null;
}

/** What the engine is given runs as it is: it has to be written by this user, and by nobody else. */
function isOurs(place: string): boolean {
  try {
    const { uid, mode } = statSync(place);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/** Writes beside the place and moves there, so that no process ever finds half of it. */
function keep(place: string, data: Buffer): void {
  const beside = `${place}.${String(process.pid)}`;
  try {
    makeFolder(dirname(place));
    writeFileSync(beside, Buffer.concat([digestOf(data), data]), { mode: 0o600, flag: "wx" });
    renameSync(beside, place);
    removeOld(dirname(place));
  } catch {
    // The next start compiles again.
    remove(beside);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It stays, and is in nobody's way.
  }
}

/** Removes what other versions of the program left behind long ago. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!name.includes(".kept")) continue;
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - changedAt > OLD_MS) remove(file);
  }
}

function digestOf(content: Buffer | string): Buffer {
  return createHash("sha256").update(content).digest();
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
