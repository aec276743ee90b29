import { expect, it } from "vitest";
import type { Link, LinkQuery, LinkRuleAnswer, LinkVerdict } from "../../../src/ask/ports.ts";
import { LinkVacantError } from "../../../src/chain/link-failure.ts";
import { command } from "../../support/child-double.ts";
import { type ParentProcess, type ParentStage, setStage } from "../../support/parent-stage.ts";

const saying = (name: string, verdict: LinkVerdict): Link => ({ name, judge: async () => verdict });

const silent = (name: string): Link => ({
  name,
  judge: async () => new Promise<never>(() => undefined),
});

const failing = (name: string, error: Error): Link => ({
  name,
  judge: async () => Promise.reject(error),
});

function entry(stage: ParentStage, process: ParentProcess, event: string) {
  return stage.records(process).find(({ body }) => body["event"] === event)?.body;
}

it("parent records what each link made of an ask with the verdict, and credits the one that decided", async () => {
  await using stage = setStage();
  const links = [
    saying("alpha", { kind: "defer" }),
    failing("beta", new Error("no key")),
    failing("gamma", new LinkVacantError("not there")),
    saying("delta", { kind: "deny", reason: "not on Fridays" }),
  ];
  const authorizerChain = ["alpha", "beta", "ghost", "gamma", "delta"];
  const process = await stage.start({ links, authorizerChain });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.pass(10);
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: false,
    state: "denied_with_reason",
    denialReason: "not on Fridays",
    decidedBy: { kind: "authorizer", name: "delta", verdict: "deny", reason: "not on Fridays" },
  });
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "authorizer_chain_unregistered_link",
    "authorizer_chain_resolved",
    "authorizer_link_failed",
    "authorizer_link_vacant",
    "forwarded_permission.denied",
    "decision authorizer_denied",
  ]);
  expect(entry(stage, process, "forwarded_permission.denied")?.["links"]).toEqual([
    { name: "alpha", verdict: "defer" },
    { name: "beta", verdict: "defer", failed: "no key" },
    { name: "gamma", verdict: "defer", failed: "not there" },
    { name: "delta", verdict: "deny" },
  ]);
  expect(process.parent.counters()).toMatchObject({
    "link_asked:alpha": 1,
    "link_failed:alpha": 0,
    "link_failed:beta": 1,
    link_failed: 2,
  });
});

it("parent keeps no grant for a link's allow and asks the link again", async () => {
  await using stage = setStage();
  let asked = 0;
  const judge: Link = {
    name: "judge",
    judge: async () => {
      asked += 1;
      return { kind: "allow" };
    },
  };
  const { journal } = await stage.start({ links: [judge], authorizerChain: ["judge"] });
  const child = stage.child();
  child.ask(command("git push"));
  child.ask(command("git push"));
  await stage.pass(10);
  expect(asked).toBe(2);
  expect(journal.read.grants(stage.clock.now(), "serving_session")).toEqual([]);
});

it("parent puts to other links what a link held that was taken out, and hears it no more", async () => {
  await using stage = setStage();
  const late = Promise.withResolvers<LinkVerdict>();
  const signals: AbortSignal[] = [];
  const before: Link = {
    name: "before",
    judge: async (_details, _query, _log, signal) => {
      signals.push(signal);
      return late.promise;
    },
  };
  const process = await stage.start({ links: [before], authorizerChain: ["before"] });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  process.parent.setLinks({
    links: [saying("after", { kind: "deny" })],
    authorizerChain: ["after"],
  });
  late.resolve({ kind: "allow" });
  await stage.pass(10);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(child.about(ask.id, "decision").map(({ message }) => message.decidedBy)).toMatchObject([
    { kind: "authorizer", name: "after" },
  ]);
});

it("parent whose links were all taken out puts what they held to the terminal", async () => {
  await using stage = setStage();
  const process = await stage.start({ links: [silent("before")], authorizerChain: ["before"] });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  expect(process.terminal.put).toHaveLength(0);
  process.parent.setLinks({});
  await stage.flush();
  process.terminal.allow(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message.decidedBy.kind).toBe("user");
});

it("parent gives new links what comes next and leaves to the person what is before one", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const first = child.ask(command("git push")).ask;
  await stage.flush();
  process.parent.setLinks({
    links: [saying("judge", { kind: "deny" })],
    authorizerChain: ["judge"],
  });
  const second = child.ask(command("git push")).ask;
  await stage.flush();
  expect(child.about(first.id, "decision")).toEqual([]);
  expect(child.about(second.id, "decision")[0]?.message.decidedBy.kind).toBe("authorizer");
});

it("parent asks each link within its own time", async () => {
  await using stage = setStage();
  const links = [{ ...silent("quick"), timeoutMs: 50 }, saying("next", { kind: "deny" })];
  await stage.start({ links, authorizerChain: ["quick", "next"] });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.pass(49);
  expect(child.about(ask.id, "decision")).toEqual([]);
  await stage.pass(1);
  expect(child.about(ask.id, "decision")[0]?.message.decidedBy).toMatchObject({ name: "next" });
});

it("parent lets a link ask its rules about other things, and allows no shell text by that", async () => {
  await using stage = setStage();
  const answers: LinkRuleAnswer[] = [];
  const judge: Link = {
    name: "judge",
    judge: async (_details, query: LinkQuery) => {
      answers.push(
        await query.checkPermission("bash", "git status && rm x"),
        await query.checkPermission("bash", "git status"),
        await query.checkPermission("read", "notes.txt"),
      );
      return { kind: "defer" };
    },
  };
  await stage.start({
    links: [judge],
    authorizerChain: ["judge"],
    rules: {
      global: new Map<
        string,
        "allow" | Map<string, "allow" | "ask" | { action: "deny"; reason: string }>
      >([
        ["read", "allow"],
        [
          "bash",
          new Map<string, "allow" | { action: "deny"; reason: string }>([
            ["git status", "allow"],
            ["rm *", { action: "deny", reason: "no" }],
          ]),
        ],
      ]),
    },
  });
  stage.child().ask();
  await stage.flush();
  expect(answers).toEqual([
    { state: "deny", pattern: "rm *", reason: "no" },
    { state: "ask", pattern: null, reason: null },
    { state: "allow", pattern: "*", reason: null },
  ]);
});

it("parent says aloud that a link fails on every ask", async () => {
  await using stage = setStage();
  const told: object[] = [];
  const nothing = (): void => undefined;
  const log = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (fields: object) => void told.push(fields),
  };
  await stage.start({
    links: [failing("judge", new Error("401"))],
    authorizerChain: ["judge"],
    log,
  });
  const child = stage.child();
  for (let n = 0; n < 25; n += 1) child.ask();
  await stage.flush();
  expect(told).toEqual([{ link: "judge", reason: "401", asked: 10, inRow: 10 }]);
});
