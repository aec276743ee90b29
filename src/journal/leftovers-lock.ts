import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isBusy } from "./failure.ts";
import { takeLock } from "./owner-lock.ts";

/** The right to ship what dead processes left in a data folder; one process has it at a time. */
export interface LeftoversLock {
  release(): void;
}

/** Takes the right; null while another process has it. Its death gives it back. */
export function tryLeftoversLock(folder: string): LeftoversLock | null {
  const owners = join(folder, "owners");
  mkdirSync(owners, { recursive: true, mode: 0o700 });
  try {
    return takeLock(join(owners, "leftovers.lock"), { keep: true });
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}
