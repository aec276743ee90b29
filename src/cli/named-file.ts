import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError, sentenceOf } from "./failure.ts";
import type { Io } from "./io.ts";

/** A file that a flag named. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Reads a file that a flag names. @throws {@link CommandError} naming both when it cannot be read. */
export function readNamedFile(flag: string, file: string, { cwd }: Pick<Io, "cwd">): NamedFile {
  const path = resolve(cwd, file);
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new CommandError(`${flag} names ${path}, which cannot be read (${sentenceOf(error)})`, {
      cause: error,
    });
  }
}
