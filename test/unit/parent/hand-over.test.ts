import { describe, expect, it } from "vitest";
import { setStage } from "../../support/parent-stage.ts";

const beats = (log: readonly { subject: string; data: Uint8Array }[]): readonly unknown[] =>
  log
    .filter(({ subject }) => subject === "af.v1.test.hb.parent-1")
    .map(({ data }) => JSON.parse(Buffer.from(data).toString()) as unknown);

describe("a session that another one takes over from", () => {
  it("names it on its heartbeat, and ends at once when nobody asks it", async () => {
    await using stage = setStage();
    const { parent } = await stage.start();
    const over = parent.handOver("parent-2");
    await stage.pass(1_000);
    await over;
    expect(await parent.stopped).toBeNull();
    expect(beats(stage.broker.log).slice(-2)).toMatchObject([
      { state: "closing", serving: true, successor: "parent-2" },
      { state: "bye", serving: false, successor: "parent-2" },
    ]);
  });

  it("serves what is open, and what its children still ask, until the last of them is gone", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    const over = process.parent.handOver("parent-2");
    const lived = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        child.announce();
        await stage.pass(1_000);
      }
    };
    await lived(5);
    process.terminal.allow(ask.id);
    await stage.flush();
    expect(child.about(ask.id, "decision")[0]?.message.approved).toBe(true);
    child.receipt(ask.id);
    await lived(5);
    const later = child.ask();
    await stage.flush();
    process.terminal.deny(later.ask.id);
    await stage.flush();
    expect(child.about(later.ask.id, "decision")[0]?.message.approved).toBe(false);
    await stage.pass(5_000);
    await over;
    expect(await process.parent.stopped).toBeNull();
  });
});
