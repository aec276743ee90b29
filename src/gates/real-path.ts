import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * The canonical form of an absolute path on this machine, links resolved. What does not exist yet, or may
 * not be looked at, keeps its name under the canonical form of the deepest folder above it that can be.
 */
export function realPath(absolute: string): string {
  const missing: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch {
      if (dirname(at) === at) return absolute;
      missing.unshift(basename(at));
    }
  }
}
