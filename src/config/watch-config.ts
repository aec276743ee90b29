import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type LoadedConfig, type LoadRequest, loadConfig } from "./load-config.ts";

/** How configuration is watched. */
export interface WatchOptions {
  readonly request: LoadRequest;
  /** What is in force when watching begins. */
  readonly loaded: LoadedConfig;
  /** Called once per change of what the files hold, with every issue of the new state. */
  readonly onChange: (loaded: LoadedConfig) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Time between two looks, in milliseconds, 10 or more. @defaultValue 1000 */
  readonly intervalMs?: number;
}

const DEFAULT_INTERVAL_MS = 1_000;

/**
 * Reads configuration again whenever a file of it changes, appears or goes away, until `signal` is aborted. Looks
 * at the files instead of being told: that also works for files that are replaced, on network folders and in
 * containers. A file that was half written at one look is read once it stands still for another. Resolves when the
 * watch has ended; rejects only with what `onChange` throws.
 */
export async function watchConfig(options: WatchOptions): Promise<void> {
  const intervalMs = options.intervalMs ?? DEFAULT_INTERVAL_MS;
  let current = options.loaded;
  let read = "";
  let before = "";
  while (await waited(intervalMs, options.signal)) {
    const now = await stampOf(current);
    const stands = now === before;
    before = now;
    if (!stands || now === read) continue;
    const next = await loadConfig(options.request);
    read = now;
    if (contentOf(next) === contentOf(current) || options.signal.aborted) continue;
    current = next;
    options.onChange(next);
  }
}

/** What the files hold and whether they count, without when they were written. */
function contentOf({ user, project, trustProblem }: LoadedConfig): string {
  return JSON.stringify([user, project, trustProblem]);
}

async function stampOf({ places }: LoadedConfig): Promise<string> {
  const paths = [places.user, places.project, places.trust];
  return (await Promise.all(paths.map(stampOfFile))).join("\n");
}

async function stampOfFile(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "absent";
  }
}

async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
