import { expect, it } from "vitest";
import { setStage } from "../../support/parent-stage.ts";

it("parent that closes gives every open ask back as parent_shut_down before it goes", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const first = child.ask().ask;
  const second = child.ask().ask;
  await stage.flush();
  await process.parent.close({ answerOpen: true });
  await stage.flush();
  for (const { id } of [first, second]) {
    expect(child.about(id, "refused").map(({ message }) => message.lost)).toEqual([
      "parent_shut_down",
    ]);
    expect(process.terminal.of(id).signal.reason).toBe("parent_shut_down");
    expect(process.journal.read.servedAsk(id)?.end?.kind).toBe("refused");
    expect(stage.story(process, id).slice(-2)).toEqual([
      "forwarded_permission.cancelled",
      "decision confirmation_unavailable",
    ]);
  }
  expect(await process.parent.stopped).toBeNull();
});

it("parent that closes without answering leaves its asks to the next process", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.parent.close();
  await stage.flush();
  expect(child.about(ask.id, "refused")).toEqual([]);
  const { parent, terminal } = await stage.start();
  expect(parent.openAsks().map(({ state }) => state)).toEqual(["dormant"]);
  child.repeat(ask.id);
  await stage.flush();
  expect(terminal.of(ask.id).ask.reprompt).toBe(1);
});

it("parent that closes ends what a dead process left behind, and the child hears it later", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const second = await stage.start();
  await second.parent.close({ answerOpen: true });
  await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("parent_shut_down");
});

it("parent hears nothing after it closed, and a second close changes nothing", async () => {
  await using stage = setStage();
  const { parent } = await stage.start();
  await parent.close();
  await parent.close({ answerOpen: true });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  expect(child.heard.map(({ kind }) => kind)).toEqual(["no_responders"]);
  expect(ask.id).toBeDefined();
});

it("parent begins and ends the records of a journal it opened itself", async () => {
  await using stage = setStage();
  const { parent } = await stage.start({ ownJournal: true });
  await parent.close({ answerOpen: true });
  const next = await stage.start();
  expect(stage.records(next).map(({ body }) => [body["event"], body["clean"]])).toEqual([
    ["audit.started", undefined],
    ["forwarded_permission.serving_started", undefined],
    ["forwarded_permission.serving_stopped", undefined],
    ["audit.stopped", true],
    ["forwarded_permission.serving_started", undefined],
  ]);
});

it("parent that leaves asks to the next process does not end the session's life", async () => {
  await using stage = setStage();
  const { parent } = await stage.start({ ownJournal: true });
  stage.child().ask();
  await stage.flush();
  await parent.close();
  const next = await stage.start();
  const events = stage.records(next).map(({ body }) => body["event"]);
  expect(events).toContain("forwarded_permission.serving_stopped");
  expect(events).not.toContain("audit.stopped");
});

it("parent is taken down by `await using`", async () => {
  await using stage = setStage();
  const { parent } = await stage.start();
  {
    await using disposed = parent;
    expect(disposed.session).toBe("parent-1");
  }
  expect(await parent.stopped).toBeNull();
});
