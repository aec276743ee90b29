import { openStream } from "../frame/record-stream.ts";
import type { Row } from "../frame/row.ts";

const COUNT = 40_000;
const SESSIONS = 4;

/** Records from the audit stream into a store on disk. */
export const SINK: readonly Row[] = [
  {
    name: "sink-sqlite",
    unit: "records/s",
    says: "records read from the audit stream, checked, made durable in a new SQLite store and acknowledged, beside a bare loop of fetch, parse, insert and acknowledge into the same table",
    goal: { atLeast: 30_000, ratioAtLeast: 0.8 },
    open: async (scene) => {
      const { url, session, sink } = await openStream(scene, "import");
      const count = scene.quick ? 1_000 : COUNT;
      const publisher = await scene.role("publisher.ts", {
        url,
        data: scene.folder("data"),
        ...session,
      });
      for (let k = 0; k < SESSIONS; k += 1) {
        const filled = { session: `worker-${String(k)}`, count: count / SESSIONS };
        await publisher.ask("fill", filled);
        await publisher.ask("ship", filled);
      }
      await publisher[Symbol.asyncDispose]();
      const where = { url, folder: scene.folder("stores"), ...sink };
      const product = await scene.role("sink.ts", where);
      const bare = await scene.role("bare-sink.ts", where);
      const value = async (): Promise<number> => product.ask<number>("keep", { count });
      const baseline = async (): Promise<number> => bare.ask<number>("keep", { count });
      await value();
      await baseline();
      return { value, baseline };
    },
  },
];
