import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, for this user alone; says which one was made first, undefined when
 * all were there. By hand: where a parent takes no folders at all, such as below /proc, Node's own
 * recursive way never returns.
 *
 * @throws the system's error when there is no such folder afterwards.
 */
export function makeFolder(path: string): string | undefined {
  const error = tryMaking(path);
  if (error === null) return path;
  if (isFolder(path)) return undefined;
  const above = dirname(path);
  if (above === path || isFolder(above)) throw error;
  const first = makeFolder(above);
  const again = tryMaking(path);
  if (again !== null && !isFolder(path)) throw again;
  return first ?? path;
}

function tryMaking(path: string): Error | null {
  try {
    mkdirSync(path, { mode: 0o700 });
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
