import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Most links that lead to nothing which are followed one after the other, as the system itself does. */
const MAX_LINKS = 40;

/**
 * The canonical form of an absolute path on this machine, links resolved, also one whose target does not
 * exist yet: a write goes there. What is missing keeps its name under the deepest folder that is there.
 */
export function realPath(absolute: string): string {
  return follow(absolute, MAX_LINKS);
}

function follow(absolute: string, left: number): string {
  const missing: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    const found = read(() => realpathSync.native(at));
    if (found !== null) return join(found, ...missing);
    const target = read(() => readlinkSync(at));
    if (target !== null && left > 0) {
      return join(follow(resolve(dirname(at), target), left - 1), ...missing);
    }
    if (dirname(at) === at) return absolute;
    missing.unshift(basename(at));
  }
}

function read(look: () => string): string | null {
  try {
    return look();
  } catch {
    return null;
  }
}
