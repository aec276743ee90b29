import { resolve } from "node:path";
import { openSqliteReads } from "../store/sqlite-store.ts";
import type { AuditReads } from "../store/store.ts";
import { CommandError } from "./failure.ts";
import type { Io } from "./io.ts";
import { storeFileOf } from "./keep-records.ts";
import { dataFolder } from "./places.ts";

/** Flags of every command that looks at kept records. */
export interface StoreFlags {
  readonly data?: string;
  readonly store?: string;
  readonly json?: boolean;
  /** Columns of a line for a person. */
  readonly width: number;
}

/** Opens the store that flags and environment name, to ask it. @throws StoreError */
export async function openStoreReads(
  flags: StoreFlags,
  io: Io,
): Promise<AuditReads & AsyncDisposable> {
  const file = flags.store ? resolve(io.cwd, flags.store) : storeFileOf(dataFolder(flags, io));
  return openSqliteReads(file);
}

/** Reads a time of a flag: an ISO 8601 date or time, or a span back from now such as `90s`, `15m`, `2h`, `7d`. */
export function readTime(given: string, flag: string, io: Pick<Io, "clock">): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  if (count !== undefined && unit !== undefined) {
    return io.clock.now() - Number(count) * (UNITS[unit] ?? 0);
  }
  const time = Date.parse(given);
  if (Number.isFinite(time)) return time;
  throw new CommandError(
    `${flag} is ${JSON.stringify(given)}; give a time such as 2026-01-31T12:00:00Z or a span back from now such as 15m`,
  );
}

const UNITS: Readonly<Partial<Record<string, number>>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
