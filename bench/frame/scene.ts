import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  startNats,
  type TestServer,
  type TestServerOptions,
} from "../../test/support/nats-launcher.ts";
import { type Role, startRole } from "./role.ts";

/** Everything one row runs on. Leaving its scope ends all of it. */
export interface Scene extends AsyncDisposable {
  /** True when a row is to show that it works, not how fast it is. */
  readonly quick: boolean;
  /** Makes a folder of the row's own. */
  folder(name: string): string;
  /** Starts a nats-server of the row's own. */
  server(options?: TestServerOptions): Promise<TestServer>;
  /** Starts a program of `bench/roles` as a process of its own and waits until it is ready. */
  role(file: string, options: object): Promise<Role>;
  /** Has `end` called when the scene ends, before what was started earlier ends. */
  endsWith(end: () => Promise<void>): void;
}

/** Opens a scene whose folders stand under `under`: the disk that is measured. */
export function openScene(under: string, quick: boolean): Scene {
  const root = realpathSync(mkdtempSync(join(under, "askfabric-bench-")));
  const started: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(one: T): T => {
    started.unshift(one);
    return one;
  };
  return {
    quick,
    folder: (name) => {
      const path = join(root, name);
      mkdirSync(path);
      return path;
    },
    server: async (options) => keep(await startNats(options)),
    role: async (file, options) => keep(await startRole(file, options)),
    endsWith: (end) => {
      started.unshift({ [Symbol.asyncDispose]: end });
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of started) await one[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
