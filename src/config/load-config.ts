import { realpathSync } from "node:fs";
import { type CompiledConfig, compileConfig } from "./compile-config.ts";
import { type ConfigPlaces, configPlaces, type Surroundings } from "./config-places.ts";
import { readBytes } from "./read-bytes.ts";
import type { FileContent } from "./read-config-file.ts";
import type { Flags } from "./read-flags.ts";
import { codeOf, fileDigest, readPins } from "./trust.ts";

/** What configuration is loaded for. */
export interface LoadRequest extends Surroundings {
  /** Options given as flags, by option name. */
  readonly flags?: Flags;
  /** What `--config` names. */
  readonly config?: string;
}

/** How a file was found. `changed`: it was trusted in another state. */
export type FileState = "absent" | "read" | "rejected" | "untrusted" | "changed";

/** One configuration file as it was found. */
export interface FoundFile {
  readonly path: string;
  readonly state: FileState;
  /** Hex SHA-256 of its bytes; null when there are none. */
  readonly digest: string | null;
}

/** Compiled configuration with the files it was read from. */
export interface LoadedConfig extends CompiledConfig {
  readonly places: ConfigPlaces;
  readonly user: FoundFile;
  readonly project: FoundFile;
  /** Why nothing can be trusted; null when the pins could be read. */
  readonly trustProblem: string | null;
}

/**
 * Reads and compiles the configuration of a program. A project file counts only in the very state in which
 * `askfabric config trust` pinned it. Never rejects: what cannot be read is an issue and counts as invalid.
 */
export async function loadConfig(request: LoadRequest): Promise<LoadedConfig> {
  const places = configPlaces(request, request.config);
  const user = readContent(places.user, places.userNamed);
  const project = readContent(places.project, false);
  const pins = readPins(readContent(places.trust, false).bytes, places.trust);
  const pinned = pins.ok ? pins.pins.get(project.real) : undefined;
  const trusted = pinned !== undefined && pinned === project.digest;
  const compiled = compileConfig({
    flags: request.flags ?? {},
    env: request.env,
    ...(project.content === null ? {} : { project: { ...project.content, trusted } }),
    ...(user.content === null ? {} : { user: user.content }),
  });
  const rejects = (source: "user" | "project"): boolean =>
    compiled.issues.some((issue) => issue.source === source && issue.rejects);
  return Object.freeze({
    ...compiled,
    places,
    user: { path: places.user, state: stateOf(user, rejects("user")), digest: user.digest },
    project: {
      path: places.project,
      state:
        trusted || project.content === null
          ? stateOf(project, rejects("project"))
          : pinned === undefined
            ? "untrusted"
            : "changed",
      digest: project.digest,
    },
    trustProblem: pins.ok ? null : pins.message,
  } as const);
}

interface Content {
  readonly content: FileContent | null;
  readonly bytes: Uint8Array | null;
  readonly digest: string | null;
  /** Path without symbolic links; the given one when it is not there. */
  readonly real: string;
}

function stateOf({ content }: Content, rejected: boolean): FileState {
  if (content === null) return "absent";
  return rejected ? "rejected" : "read";
}

function readContent(path: string, mustBeThere: boolean): Content {
  const nothing = { bytes: null, digest: null, real: path };
  try {
    const real = realpathSync.native(path);
    const bytes = readBytes(real);
    return { content: decoded(bytes), bytes, digest: fileDigest(bytes), real };
  } catch (error) {
    const code = codeOf(error);
    const isAbsent = code === "ENOENT" || code === "ENOTDIR";
    if (isAbsent && !mustBeThere) return { content: null, ...nothing };
    const unreadable = isAbsent
      ? "is not there; write it or name another"
      : `cannot be read (${code})`;
    return { content: { unreadable }, ...nothing };
  }
}

function decoded(bytes: Uint8Array): FileContent {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { unreadable: "is not UTF-8 text" };
  }
}
