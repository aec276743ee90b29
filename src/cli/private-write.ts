import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file that this user alone can read. It is there whole or as it was before, also after a power
 * cut: others may be reading it.
 */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
