import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../../src/bus/connect.ts";
import { openChild } from "../../src/child/open-child.ts";
import { aCall } from "../support/child-scene.ts";
import { aFolder } from "../support/journal-parts.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { scriptedParent } from "../support/scripted-parent.ts";
import { answerEach, openBench, promptOf } from "../support/session-pair.ts";
import { until } from "../support/until.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

it("ask goes to its second parent when the first is absent, and the first, coming late, prompts nobody", async () => {
  await using bench = await openBench(server);
  const spare = await bench.serve("spare");
  const call = ["--tool", "bash", "--input", JSON.stringify({ command: "git push" })];
  const order = ["--parent", "lead", "--parent", "spare"];
  const program = bench.run(["ask", "--session", "worker", ...order, ...call]);
  const prompt = await spare.line("the prompt", promptOf);
  const lead = await bench.serve("lead");
  answerEach(lead, () => ({ answer: "deny" }));
  spare.say({ requestId: prompt.requestId, answer: "allow" });
  expect(await program.ended()).toBe(0);
  expect(program.lines).toMatchObject([{ outcome: "allowed" }]);
  expect(lead.lines.filter((line) => promptOf(line) !== undefined)).toEqual([]);
});

it("a parent that heard the ask, was gone and comes back with a decision is told that it has no effect", async () => {
  using folder = aFolder();
  await using bus = await connect({ servers: server.url });
  await using above = await connect({ servers: server.url });
  await using child = await openChild({
    bus,
    session: "child-1",
    parent: "parent-1",
    otherParents: ["parent-2"],
    data: folder.path,
    rules: {},
    home: "/home/op",
    unservedGraceMs: 300,
  });
  const first = scriptedParent(above);
  const second = scriptedParent(above, "parent-2");
  await above.port.flush(5_000);
  const outcome = child.decide(aCall());
  const held = await until("the ask at the first parent", () => first.asks[0]);
  first.close();
  const moved = await until("the ask at the second parent", () => second.asks[0], 15_000);
  expect(child.pending()).toMatchObject([{ parent: "parent-2", requestId: held.ask.id }]);
  const returned = scriptedParent(above);
  returned.decide(held);
  const receipt = await until("its receipt", () => returned.receipts[0]);
  expect(receipt.message.effect).toBe("none");
  await until("its cancel", () => returned.cancels[0]?.message.why === "failover", 15_000);
  expect(child.pending()).toMatchObject([{ parent: "parent-2" }]);
  second.decide(moved, { approved: false, state: "denied" });
  expect(await outcome).toMatchObject({ outcome: "denied" });
});
