import { join } from "node:path";
import { isBusy } from "../../journal/failure.ts";
import { takeLock } from "../../journal/owner-lock.ts";
import { CommandError } from "../failure.ts";

const WAIT_MS = 5_000;

/**
 * Holds an issuer's folder against other commands that change it; the operating system lets go of it when the process
 * dies.
 *
 * @throws {@link CommandError} when another command holds it.
 */
export function lockIssuer(folder: string): Disposable {
  try {
    const lock = takeLock(join(folder, "issuer.lock"), { keep: true, waitMs: WAIT_MS });
    return { [Symbol.dispose]: () => lock.release() };
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new CommandError(
      `another command changes ${folder}; run this one again when it is done`,
      { cause: error },
    );
  }
}
