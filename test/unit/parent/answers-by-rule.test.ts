import { expect, it } from "vitest";
import { command } from "../../support/child-double.ts";
import { setStage } from "../../support/parent-stage.ts";

it("parent answers what a rule allows at once, without accepted and without asking anybody", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const { ask, askDigest } = child.ask(command("git status"));
  await stage.flush();
  expect(child.heard.map(({ kind }) => kind)).toEqual(["decision"]);
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    requestId: ask.id,
    askDigest,
    approved: true,
    state: "approved",
    responderSessionId: "parent-1",
    decidedBy: { kind: "rule", surface: "bash", pattern: "git status", origin: "global" },
  });
  expect(terminal.put).toEqual([]);
});

it("parent denies what a rule denies with the rule's own reason", async () => {
  await using stage = setStage();
  await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("rm -r build"));
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: false,
    state: "denied_with_reason",
    denialReason: "nothing is removed here",
    decidedBy: { kind: "rule", pattern: "rm *" },
  });
});

it("parent answers a repeat with the same bytes, also after other rules would say otherwise", async () => {
  await using stage = setStage();
  const { parent } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git status"));
  await stage.flush();
  parent.setRules({ global: new Map([["bash", "deny"]]) });
  child.repeat(ask.id);
  await stage.flush();
  const digests = child.about(ask.id, "decision").map(({ decisionDigest }) => decisionDigest);
  expect(digests).toHaveLength(2);
  expect(new Set(digests).size).toBe(1);
});

it("parent keeps a rule's verdict with one record and no live decision event", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git status"));
  await stage.pass(10);
  expect(stage.story(process, ask.id)).toEqual(["forwarded_permission.auto_approved"]);
  expect(process.journal.read.servedAsk(ask.id)?.end?.kind).toBe("decision");
  expect(stage.broker.log.filter(({ subject }) => subject.includes(".evt."))).toHaveLength(1);
});

it("parent that was killed repeats a rule's verdict from its journal under other rules", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git status"));
  await stage.pass(10);
  await first.kill();
  await stage.start({ rules: { global: new Map([["bash", "deny"]]) } });
  child.repeat(ask.id);
  await stage.flush();
  const heard = child.about(ask.id, "decision");
  expect(heard.map(({ message }) => message.approved)).toEqual([true, true]);
  expect(heard[0]?.decisionDigest).toBe(heard[1]?.decisionDigest);
});

it("parent asks a person about an agent name it does not attest, whatever that agent's rules allow", async () => {
  await using stage = setStage();
  const agents = new Map([["reviewer", new Map([["bash", "allow" as const]])]]);
  const global = new Map([["bash", "ask" as const]]);
  const { terminal, parent } = await stage.start({ rules: { global, agents } });
  const child = stage.child();
  child.ask(command("make"));
  await stage.flush();
  expect(terminal.put).toHaveLength(1);
  await parent.close();
});

it("parent lets an agent's rules allow for a name in its roster", async () => {
  await using stage = setStage();
  const agents = new Map([["reviewer", new Map([["bash", "allow" as const]])]]);
  const global = new Map([["bash", "ask" as const]]);
  const roster = new Map([["child-1", "reviewer"]]);
  const { terminal } = await stage.start({ rules: { global, agents }, roster });
  const child = stage.child();
  const { ask } = child.ask(command("make"));
  await stage.flush();
  expect(terminal.put).toEqual([]);
  expect(child.about(ask.id, "decision")[0]?.message.approved).toBe(true);
});

it("parent answers a rule's verdict while a person thinks about another ask", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  child.ask(command("git push"));
  await stage.flush();
  const { ask } = child.ask(command("git status"));
  await stage.flush();
  expect(terminal.put).toHaveLength(1);
  expect(child.about(ask.id, "decision")).toHaveLength(1);
});
