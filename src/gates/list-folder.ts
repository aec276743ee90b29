import { readdirSync } from "node:fs";
import type { FolderEntry } from "./context.ts";

/** What a shell of the same user would meet as well: the folder is not there, is none, or is not open to it. */
const NOTHING_TO_SEE = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

/** Lists a folder of this machine; empty when nothing can be seen there, null when that could not be found out. */
export function listFolder(absolute: string): readonly FolderEntry[] | null {
  try {
    return readdirSync(absolute, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return NOTHING_TO_SEE.has(code) ? [] : null;
  }
}
