import { openStream } from "../frame/record-stream.ts";
import type { Contest, Row } from "../frame/row.ts";
import type { Scene } from "../frame/scene.ts";

const COUNT = 20_000;

async function openContest(scene: Scene, account: "import" | "one"): Promise<Contest> {
  const { url, session } = await openStream(scene, account);
  const count = scene.quick ? 1_000 : COUNT;
  const publisher = await scene.role("publisher.ts", {
    url,
    data: scene.folder("data"),
    ...session,
  });
  const raw = await scene.role("raw-publisher.ts", { url, ...session });
  let round = 0;
  /** Each round ships the whole outbox of another session. */
  const value = async (): Promise<number> => {
    round += 1;
    const filled = { session: `worker-${String(round)}`, count };
    await publisher.ask("fill", filled);
    return publisher.ask<number>("ship", filled);
  };
  const baseline = async (): Promise<number> => raw.ask<number>("put", { count });
  await value();
  await baseline();
  return { value, baseline };
}

/** Records on their way from an outbox on disk to the audit stream. */
export const PUBLISHER: readonly Row[] = [
  {
    name: "publish-one-account",
    unit: "records/s",
    says: "records read from an outbox on disk, published and acknowledged by a stream in the sessions' account, beside the client library's bare publish with as many on their way",
    goal: { atLeast: 50_000 },
    open: async (scene) => openContest(scene, "one"),
  },
  {
    name: "publish-import",
    unit: "records/s",
    says: "the same into a stream in an account of its own, as `askfabric up` sets it up",
    goal: { atLeast: 35_000 },
    open: async (scene) => openContest(scene, "import"),
  },
];
