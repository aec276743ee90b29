import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folders of one run, all below one that goes when the run is over. */
export interface Place {
  readonly root: string;
  /** Data folder of every program. */
  readonly data: string;
  /** Working directory of the two children. */
  readonly project: string;
  /** Home folder of every program but the server. */
  readonly home: string;
  /** One log file for each program. */
  readonly logs: string;
}

/** Makes the folders, for this user alone. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "askfabric-demo-")));
  const place = {
    root,
    data: join(root, "data"),
    project: join(root, "project"),
    home: join(root, "home"),
    logs: join(root, "logs"),
  };
  for (const folder of [place.data, place.project, place.home, place.logs]) mkdirSync(folder);
  return place;
}

/** Copies the logs to a folder that stays, and returns that. */
export function keepLogs(place: Place): string {
  const kept = mkdtempSync(join(tmpdir(), "askfabric-demo-logs-"));
  cpSync(place.logs, kept, { recursive: true });
  const server = join(place.data, "server", "nats.log");
  if (existsSync(server)) cpSync(server, join(kept, "nats.log"));
  return kept;
}

/** Removes everything below the place. */
export function removePlace({ root }: Place): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
