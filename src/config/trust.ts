import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ConfigPlaces } from "./config-places.ts";
import { parsePins } from "./pins-schema.ts";
import { readBytes, UnfitFileError } from "./read-bytes.ts";

/** Hex SHA-256 digests of trusted project files, by real path. */
export type TrustPins = ReadonlyMap<string, string>;

/** The pins, or why they cannot be read. Nothing is trusted then. */
export type PinsReading =
  | { readonly ok: true; readonly pins: TrustPins }
  | { readonly ok: false; readonly message: string };

/** Hex SHA-256 of a file's bytes, as `sha256sum` prints it. */
export function fileDigest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads the pins from the bytes of their file; null bytes mean that there is none. */
export function readPins(bytes: Uint8Array | null, place: string): PinsReading {
  if (bytes === null) return { ok: true, pins: new Map() };
  try {
    const { files } = parsePins(JSON.parse(new TextDecoder().decode(bytes)));
    return { ok: true, pins: new Map(Object.entries(files)) };
  } catch {
    return {
      ok: false,
      message: `${place} is damaged, so no project is trusted; remove it and run \`askfabric config trust\` again`,
    };
  }
}

/** What became of trusting or distrusting a project file. */
export type TrustOutcome =
  | { readonly ok: true; readonly path: string; readonly digest: string }
  | { readonly ok: false; readonly message: string };

/** Trusts the project's file in its present state, by the digest of its bytes. Losses are values. */
export async function trustProject(
  places: Pick<ConfigPlaces, "project" | "trust">,
): Promise<TrustOutcome> {
  return changePins(places, (pins, path, digest) => pins.set(path, digest));
}

/** Takes the trust in the project's file back, whatever its state. Losses are values. */
export async function distrustProject(
  places: Pick<ConfigPlaces, "project" | "trust">,
): Promise<TrustOutcome> {
  return changePins(places, (pins, path) => pins.delete(path));
}

async function changePins(
  { project, trust }: Pick<ConfigPlaces, "project" | "trust">,
  change: (pins: Map<string, string>, path: string, digest: string) => void,
): Promise<TrustOutcome> {
  try {
    const path = await realpath(project);
    const digest = fileDigest(readBytes(path));
    const reading = readPins(readIfThere(trust), trust);
    if (!reading.ok) return reading;
    const pins = new Map(reading.pins);
    change(pins, path, digest);
    await writePins(trust, pins);
    return { ok: true, path, digest };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" && !existsSync(project)
      ? { ok: false, message: `${project} is not there; write it first` }
      : {
          ok: false,
          message: `${project} or ${trust} cannot be used (${code}); check who owns it`,
        };
  }
}

/** By hand: where a parent takes no folders at all, such as below /proc, Node's recursive way never returns. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

async function writePins(trust: string, pins: TrustPins): Promise<void> {
  await makeFolder(dirname(trust));
  const draft = `${trust}.${randomUUID()}`;
  const content = { version: 1, files: Object.fromEntries(pins) };
  try {
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, trust);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return readBytes(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** The code of a system error, what makes a file unfit, or `unknown`. */
export function codeOf(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message;
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown";
}
