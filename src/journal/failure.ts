import { existsSync } from "node:fs";
import { JournalError, type JournalErrorCode } from "./journal.ts";

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
/** The shared memory beside the file could not grow, which a full disk is the usual cause of. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** Failures of SQLite that say something about the file or the disk, not about the statement. */
const ABOUT_THE_FILE = new Map<number, JournalErrorCode>([
  [SQLITE_BUSY, "journal_unwritable"],
  [3, "journal_unwritable"], // PERM
  [6, "journal_unwritable"], // LOCKED
  [8, "journal_unwritable"], // READONLY
  [10, "journal_unwritable"], // IOERR
  [14, "journal_unwritable"], // CANTOPEN
  [15, "journal_unwritable"], // PROTOCOL
  [22, "journal_unwritable"], // NOLFS
  [23, "journal_unwritable"], // AUTH
  [SQLITE_FULL, "journal_full"],
  [SQLITE_CORRUPT, "journal_corrupt"],
  [SQLITE_NOTADB, "journal_corrupt"],
]);

const FULL_DISK = new Set(["ENOSPC", "EDQUOT"]);

/** An error that `node:sqlite` threw for an answer of SQLite. */
type SqliteFailure = Error & { readonly errcode: number };

function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

function isSystemFailure(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return (
    error instanceof Error &&
    "syscall" in error &&
    "code" in error &&
    typeof error.code === "string"
  );
}

/** Says whether somebody else holds the lock that a statement needed. */
export function isBusy(error: unknown): boolean {
  return isSqliteFailure(error) && (error.errcode & 0xff) === SQLITE_BUSY;
}

/** Says whether a file could be locked and read, and is no SQLite file. */
export function isNotADatabase(error: unknown): boolean {
  return isSqliteFailure(error) && (error.errcode & 0xff) === SQLITE_NOTADB;
}

/** The error a caller of the journal sees: a {@link JournalError} for what `file` or its disk is to blame for, else `error` itself. */
export function toJournalError(error: unknown, file: string): unknown {
  if (error instanceof JournalError) return error;
  if (isSqliteFailure(error)) {
    const code = codeOfSqlite(error.errcode);
    return code === undefined ? error : journalError(code, file, { cause: error });
  }
  if (isSystemFailure(error)) {
    const code = FULL_DISK.has(error.code) ? "journal_full" : "journal_unwritable";
    return journalError(code, file, { cause: error });
  }
  return error;
}

/** What every use of a closed journal throws. */
export function closedError(file: string): JournalError {
  return new JournalError(
    "journal_unwritable",
    file,
    `The journal ${file} is closed in this process; nothing was changed.`,
  );
}

/** What a change throws when the file under an open journal is gone. */
export function goneError(file: string): JournalError {
  return new JournalError(
    "journal_unwritable",
    file,
    `The journal ${file} was removed or replaced while this process had it open; nothing was changed, since nobody could find it again. Start the session's programs anew.`,
  );
}

function codeOfSqlite(errcode: number): JournalErrorCode | undefined {
  if (errcode === SQLITE_IOERR_SHMSIZE) return "journal_full";
  return ABOUT_THE_FILE.get(errcode & 0xff);
}

function journalError(code: JournalErrorCode, file: string, from: { cause: Error }): JournalError {
  return new JournalError(code, file, sentence(code, file, from.cause), from);
}

function sentence(code: JournalErrorCode, file: string, cause: Error): string {
  if (isBusy(cause)) {
    return `The journal ${file} stayed locked by another process of this session; nothing was changed. See which process holds it, and try again.`;
  }
  if (code === "journal_full") {
    return `The disk that holds the journal ${file} is full; nothing was changed. Free space there and try again.`;
  }
  if (code === "journal_corrupt") {
    return `The journal ${file} is damaged (${cause.message}). Move it away with its -wal and -shm files and start again; keep them, records not yet sent are only there.`;
  }
  const gone = existsSync(file) ? "" : " The file is not there.";
  return `The journal ${file} cannot be used (${cause.message}).${gone} Check that its folder is a folder on a local disk that this user may write to, or name another data folder.`;
}
