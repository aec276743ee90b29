import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../failure.ts";

const WAIT_MS = 5_000;

/**
 * Holds an issuer's folder against other commands that change it; the operating system lets go of it when the process
 * dies.
 *
 * @throws {@link CommandError} when another command holds it.
 */
export function lockIssuer(folder: string): Disposable {
  const file = join(folder, "issuer.lock");
  closeSync(openSync(file, "a", 0o600));
  const database = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw new CommandError(
      `another command changes ${folder}; run this one again when it is done`,
      {
        cause: error,
      },
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}
