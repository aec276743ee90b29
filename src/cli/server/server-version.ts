/** A version of nats-server, comparable. */
export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** As it was printed, such as `2.10.27`. */
  readonly text: string;
}

/** Oldest server this product works with. */
export const OLDEST_SERVER = "2.9.0";

/** Reads what `nats-server --version` prints; null for anything else. */
export function parseServerVersion(printed: string): ServerVersion | null {
  const text = /^nats-server: v(\d+\.\d+\.\d+)(?:[-+\s]|$)/m.exec(printed)?.[1];
  return text === undefined ? null : toVersion(text);
}

/** Says whether `version` is `least` or newer. */
export function isAtLeast(version: ServerVersion, least: string): boolean {
  const other = toVersion(least);
  return compareVersions(version, other) >= 0;
}

/** Orders versions from old to new. */
export function compareVersions(one: ServerVersion, other: ServerVersion): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}

function toVersion(text: string): ServerVersion {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return { major, minor, patch, text };
}
