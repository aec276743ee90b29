import { hash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Longest encoded name; what is longer becomes a digest, so that every suffix fits a file name. */
const MAX_NAME = 120;

const JOURNAL_END = ".sqlite";

/** Where the files of one session are. */
export interface SessionFiles {
  /** The journal itself; SQLite keeps `-wal` and `-shm` beside it. */
  readonly journal: string;
  /** Folder of the locks of all sessions' processes. */
  readonly owners: string;
  /** What the lock files of this session, and of no other, begin with. */
  readonly ownerPrefix: string;
}

/**
 * Encodes a session id into a file name. Two ids never share one, also where the disk folds case:
 * `a-z 0-9 _ -` stand for themselves, every other UTF-8 byte is `=hh`, and what grows too long is
 * `=h` with its SHA-256 in hex.
 *
 * @throws RangeError for an id with a lone surrogate, which has no UTF-8.
 */
export function sessionFileName(session: string): string {
  if (!session.isWellFormed()) throw new RangeError("A session id holds a lone surrogate.");
  let name = "";
  for (const byte of Buffer.from(session, "utf8")) {
    const char = String.fromCharCode(byte);
    name += /[a-z0-9_-]/.test(char) ? char : `=${byte.toString(16).padStart(2, "0")}`;
  }
  if (name.length > MAX_NAME) name = `=h${hash("sha256", session, "hex")}`;
  // The word before it keeps names that some systems reserve, and the empty one, out of harm.
  return `session-${name}`;
}

/** Names the files of `session` in the data folder `folder`. */
export function sessionFiles(folder: string, session: string): SessionFiles {
  const name = sessionFileName(session);
  return {
    journal: join(folder, "journals", `${name}${JOURNAL_END}`),
    owners: join(folder, "owners"),
    ownerPrefix: `${name}.`,
  };
}

/** A journal that lies in a data folder, by its file alone. */
export interface FoundJournal extends SessionFiles {
  /** Epoch milliseconds of the last change of the journal or of what SQLite keeps beside it. */
  readonly changedAt: number;
}

/** Every journal of a data folder; none when the folder is not there. */
export function findJournals(folder: string): readonly FoundJournal[] {
  const place = join(folder, "journals");
  const names = existsSync(place) ? readdirSync(place) : [];
  return names
    .filter((name) => name.startsWith("session-") && name.endsWith(JOURNAL_END))
    .map((file) => {
      const journal = join(place, file);
      const times = [journal, `${journal}-wal`].map(
        (one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0,
      );
      return {
        journal,
        owners: join(folder, "owners"),
        ownerPrefix: `${file.slice(0, -JOURNAL_END.length)}.`,
        changedAt: Math.max(...times),
      };
    });
}

/** Makes the data folder and the folders of `files` in it, for this user alone whatever the umask. */
export function makeFolders(folder: string, files: SessionFiles): void {
  const made = makeFolder(folder);
  if (made !== undefined) {
    chmodSync(folder, 0o700);
    syncFolder(dirname(made));
  }
  for (const own of [dirname(files.journal), files.owners]) {
    const fresh = makeFolder(own) !== undefined;
    chmodSync(own, 0o700);
    if (fresh) syncFolder(folder);
  }
}

/**
 * Creates an empty file for this user alone, or tightens the one that is there.
 *
 * A file that is there is never opened: closing any descriptor of a file drops every lock that this
 * process holds on it, those of SQLite among them.
 */
export function makeOwnerOnly(file: string): void {
  try {
    const descriptor = openSync(file, "wx", 0o600);
    try {
      fchmodSync(descriptor, 0o600);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    chmodSync(file, 0o600);
  }
}

/** Tightens a file to this user alone; what is not there needs no tightening. */
export function tighten(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Which file a path leads to; null when there is none. Two files never have one identity at a time. */
export function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}.${found.ino}`;
}

/** Says whether `error` is a failure of the system with this code. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Makes a new folder's name survive a power loss. Systems that cannot sync a folder need no help. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (hasCode(error, "EIO") || hasCode(error, "ENOSPC")) throw error;
  }
}
