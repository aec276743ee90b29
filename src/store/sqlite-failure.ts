import { StoreError, type StoreErrorCode } from "./store.ts";

/** Failures of SQLite that say something about the file or the disk, not about what is written. */
const ABOUT_THE_FILE = new Map<number, StoreErrorCode>([
  [1, "store_corrupt"], // ERROR: a table or a column is not there
  [3, "store_unusable"], // PERM
  [5, "store_unusable"], // BUSY
  [6, "store_unusable"], // LOCKED
  [8, "store_unusable"], // READONLY
  [10, "store_unusable"], // IOERR
  [11, "store_corrupt"], // CORRUPT
  [13, "store_full"], // FULL
  [14, "store_unusable"], // CANTOPEN
  [15, "store_unusable"], // PROTOCOL
  [22, "store_unusable"], // NOLFS
  [23, "store_unusable"], // AUTH
  [26, "store_foreign"], // NOTADB
]);

const WAY_OUT: Readonly<Record<StoreErrorCode, string>> = {
  store_missing:
    'start "askfabric up" or "askfabric audit run" on it, or name another with --store',
  store_unusable:
    "check that its folder is on a local disk that this user may write to and that no other program holds the file",
  store_full: "free space on its disk; records wait in the stream meanwhile",
  store_corrupt:
    "move it away with its -wal and -shm files and keep them; a new store takes every record the stream still has",
  store_newer: "run the newer askfabric, or name another with --store",
  store_foreign: "name another with --store",
};

/** An error of a store by its code. */
export function storeError(
  code: StoreErrorCode,
  where: string,
  what: string,
  options?: ErrorOptions,
): StoreError {
  return new StoreError(code, `The audit store ${where} ${what}: ${WAY_OUT[code]}.`, options);
}

/** The error a user of the store sees: a {@link StoreError} for what the file or its disk is to blame for, else `error`. */
export function toStoreError(error: unknown, where: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  return storeError(code, where, `cannot be used (${error.message})`, { cause: error });
}

function codeOf(error: Error): StoreErrorCode | undefined {
  if ("errcode" in error && typeof error.errcode === "number") {
    return ABOUT_THE_FILE.get(error.errcode & 0xff);
  }
  if (!("syscall" in error) || !("code" in error)) return undefined;
  return error.code === "ENOSPC" || error.code === "EDQUOT" ? "store_full" : "store_unusable";
}
