import { describe, expect, it } from "vitest";
import { setStage } from "../../support/parent-stage.ts";

describe("an ask at a person whose child is not heard any longer", () => {
  it("is taken back within four seconds, and put again when the child is heard", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    child.announce();
    await stage.pass(4_100);
    expect(process.terminal.of(ask.id).signal.reason).toBe("child_gone");
    expect(process.terminal.put).toHaveLength(1);
    child.announce();
    await stage.flush();
    expect(process.terminal.put.map(({ ask: { reprompt } }) => reprompt)).toEqual([0, 1]);
    process.terminal.allow(ask.id);
    await stage.flush();
    expect(process.terminal.of(ask.id).effects).toEqual(["counted"]);
    expect(child.about(ask.id, "decision")[0]?.message.approved).toBe(true);
    expect(stage.story(process, ask.id)).toEqual([
      "forwarded_permission.accepted",
      "forwarded_permission.prompted",
      "ui_prompt",
      "forwarded_permission.prompted",
      "ui_prompt",
      "forwarded_permission.approved",
      "decision user_approved",
    ]);
  });

  it("stays before the person as long as the child says that it lives", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    for (let second = 0; second < 20; second += 1) {
      child.announce();
      await stage.pass(1_000);
    }
    expect(process.terminal.of(ask.id).signal.aborted).toBe(false);
  });

  it("stays when the child only repeats it, as one that never announces itself does", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    for (let repeats = 0; repeats < 4; repeats += 1) {
      await stage.pass(30_000);
      child.repeat(ask.id);
    }
    expect(process.terminal.of(ask.id).signal.aborted).toBe(false);
    await stage.pass(42_000);
    expect(process.terminal.of(ask.id).signal.reason).toBe("child_gone");
  });

  it("is shown again by a repeat, while what another child asks was never taken back", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const [gone, there] = [stage.child("child-1"), stage.child("child-2")];
    const first = gone.ask();
    const second = there.ask();
    await stage.flush();
    gone.announce();
    for (let seconds = 0; seconds < 5; seconds += 1) {
      there.announce();
      await stage.pass(1_000);
    }
    expect(process.terminal.of(first.ask.id).signal.aborted).toBe(true);
    expect(process.terminal.of(second.ask.id).signal.aborted).toBe(false);
    gone.repeat(first.ask.id);
    await stage.flush();
    expect(process.terminal.of(first.ask.id).signal.aborted).toBe(false);
  });

  it("ends at its deadline all the same, and nobody is asked again", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask({}, 20_000);
    await stage.flush();
    child.announce();
    await stage.pass(21_000);
    child.announce();
    await stage.flush();
    expect(process.terminal.put).toHaveLength(1);
    expect(process.parent.openAsks()).toEqual([]);
    expect(stage.story(process, ask.id).at(-1)).toBe("decision confirmation_unavailable");
  });

  it("can be taken back by its child, which is heard by that", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    child.announce();
    await stage.pass(5_000);
    child.cancel(ask.id);
    await stage.flush();
    expect(child.about(ask.id, "withdrawn")[0]?.message.effect).toBe("withdrawn");
    expect(process.parent.openAsks()).toEqual([]);
  });

  it("is taken back and put again as its relay says of the child behind it, others of that relay staying", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const relay = stage.child("relay");
    const [gone, there] = [relay.ask(), relay.ask()];
    await stage.flush();
    relay.announce([gone.ask.id]);
    await stage.pass(1_100);

    expect(process.terminal.of(gone.ask.id).signal.reason).toBe("child_gone");
    expect(process.terminal.of(there.ask.id).signal.aborted).toBe(false);
    relay.announce([gone.ask.id]);
    await stage.pass(1_100);
    expect(process.terminal.put).toHaveLength(2);
    relay.announce();
    await stage.flush();
    expect(process.terminal.put.map(({ ask: { reprompt } }) => reprompt)).toEqual([0, 0, 1]);
    process.terminal.allow(gone.ask.id);
    await stage.flush();
    expect(relay.about(gone.ask.id, "decision")[0]?.message.approved).toBe(true);
  });
});
