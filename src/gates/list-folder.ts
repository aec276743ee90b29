import { readdirSync } from "node:fs";
import type { FolderEntry } from "./context.ts";

/** Lists a folder of this machine; empty when it is none or cannot be read. */
export function listFolder(absolute: string): readonly FolderEntry[] {
  try {
    return readdirSync(absolute, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}
