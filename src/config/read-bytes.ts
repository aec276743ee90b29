import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Largest file of a configuration, in bytes. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** Why the bytes of a path are not read, though the system would give some. */
export class UnfitFileError extends Error {
  override readonly name = "UnfitFileError";
}

/**
 * Reads a plain file of at most {@link MAX_FILE_BYTES}. A pipe or a device could keep its reader waiting for
 * ever: a project may hold one, and its file is read before anybody trusts it.
 *
 * @throws {@link UnfitFileError} for what is no plain file or too large, else the system's error.
 */
export function readBytes(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new UnfitFileError("it is no plain file");
    if (found.size > MAX_FILE_BYTES) {
      throw new UnfitFileError(`it is larger than ${String(MAX_FILE_BYTES)} bytes`);
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
