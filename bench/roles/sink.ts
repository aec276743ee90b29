import { join } from "node:path";
import { SILENT_LOG } from "../../src/ask/defaults.ts";
import { openSink } from "../../src/audit/sink.ts";
import { connectKeeper } from "../../src/bus/connect-keeper.ts";
import type { ConnectOptions } from "../../src/bus/connect-options.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import { serveRole } from "../frame/serve-role.ts";

const clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Keeps all that a stream has in a new store, once for each time it is asked. */
await serveRole(
  async ({
    url,
    folder,
    ...shown
  }: { url: string; folder: string } & Pick<ConnectOptions, "user" | "pass">) => {
    const bus = await connectKeeper({ servers: url, session: "sink", ...shown });
    let round = 0;
    return {
      keep: async ({ count }: { count: number }) => {
        round += 1;
        await using store = await openSqliteStore(join(folder, `${String(round)}.sqlite`));
        const begun = performance.now();
        await using sink = await openSink({
          stream: bus.records,
          port: bus.port,
          store,
          clock,
          log: SILENT_LOG,
        });
        while (sink.status().kept < count) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return count / ((performance.now() - begun) / 1000);
      },
    };
  },
);
