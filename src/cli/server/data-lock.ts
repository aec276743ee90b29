import { join } from "node:path";
import { isBusy } from "../../journal/failure.ts";
import { takeLock } from "../../journal/owner-lock.ts";
import type { ServerFolders } from "./data-folder.ts";
import { ServerError } from "./server-error.ts";

/** The right to run a server on a data folder. The operating system lifts it when the process dies. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the lock of a data folder.
 *
 * @throws {@link ServerError} `server_data_in_use` when another process holds it, `server_data_unusable` when
 * the folder cannot be written.
 */
export function takeDataLock({ data, server }: ServerFolders): DataLock {
  try {
    return takeLock(join(server, "up.lock"), { keep: true });
  } catch (error) {
    throw toServerError(error, data);
  }
}

function toServerError(error: unknown, folder: string): ServerError {
  if (isBusy(error)) {
    return new ServerError(
      "server_data_in_use",
      `another "askfabric up" runs on ${folder}: use that one, end it, or choose another folder with --data`,
      { cause: error },
    );
  }
  return new ServerError(
    "server_data_unusable",
    `${folder} cannot be used as data folder (${error instanceof Error ? error.message : "unknown"}): make it writable for this user, or choose another with --data`,
    { cause: error },
  );
}
