import { join } from "node:path";
import type { RunCommand } from "./run-command.ts";
import type { ServerVersion } from "./server-version.ts";

/** A nats-server that can be started on this machine. */
export interface NatsProgram {
  /** A file to run, or an image for a container program. */
  readonly kind: "binary" | "container";
  /** The file, or the container program (`docker`, `podman`). */
  readonly command: string;
  /** Image of a container; null for a binary. */
  readonly image: string | null;
  readonly version: ServerVersion;
  readonly source: "named" | "path" | "cache" | "package" | "brew" | "container";
}

/** Where to look, all of it read by the program that asks. */
export interface FindOptions {
  /** A binary somebody named; nothing else is tried then. */
  readonly named: string | null;
  /** The `PATH`. */
  readonly path: string;
  /** Folder of this product's cache. */
  readonly cache: string;
  readonly isRoot: boolean;
  readonly run: RunCommand;
  /** Told before something slow begins. */
  readonly note: (text: string) => void;
  /** Where apt keeps its package lists. @defaultValue "/var/lib/apt/lists" */
  readonly aptLists?: string;
  /** Folder searched after the `PATH`. @defaultValue "/usr/sbin" */
  readonly systemFolder?: string;
}

/** The folder of the cache that holds servers, one folder a version. */
export function serverCache(options: Pick<FindOptions, "cache">): string {
  return join(options.cache, "nats-server");
}

/** Place of the binary below the root of an unpacked package. */
export const PACKAGED_BINARY = join("usr", "sbin", "nats-server");

/** The last line of an output that says something. */
export function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.trim() ?? "";
}
