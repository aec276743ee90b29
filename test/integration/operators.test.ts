import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../../src/bus/connect.ts";
import {
  type OperatorLine,
  openOperatorLine,
  type ShownWhole,
} from "../../src/bus/operator-line.ts";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type { PendingAsk, ShownLine } from "../../src/cli/operator/lines.ts";
import { type Line, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { openIssuedFleet } from "../support/issued-fleet.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { testServer } from "../support/nats-servers.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";
import { until } from "../support/until.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

/** What a command left behind. */
interface Ended {
  readonly code: number | string;
  readonly lines: readonly Line[];
  readonly text: string;
  readonly error: string;
}

async function ended(program: RunningProgram): Promise<Ended> {
  const code = await program.ended();
  return { code, lines: program.lines, text: program.stdout(), error: program.stderr() };
}

/** Runs a command of an operator to its end. */
async function operate(bench: Bench, as: string, ...args: readonly string[]): Promise<Ended> {
  return ended(bench.run([...args, "--as", as]));
}

function shownOf(line: Line | undefined): ShownLine["shown"] {
  return LINE_SCHEMAS.shown.parse(line).shown;
}

function partOf(reply: Awaited<ReturnType<OperatorLine["show"]>>): ShownWhole["part"] {
  if (reply.op !== "whole") throw new Error(JSON.stringify(reply));
  return reply.part;
}

const answeredOf = (line: Line): { readonly effective: boolean } | undefined =>
  line["answered"] as { readonly effective: boolean } | undefined;

const pendingOf = (line: Line): PendingAsk | undefined =>
  LINE_SCHEMAS.pending.safeParse(line).data?.pending;

/** Asks for a command and waits until it is before the person of `lead`. */
async function asked(
  bench: Bench,
  lead: RunningProgram,
  command: string,
): Promise<{ readonly worker: RunningProgram; readonly requestId: string }> {
  const input = JSON.stringify({ command });
  const call = ["--tool", "bash", "--input", input];
  const worker = bench.run(["ask", "--session", "worker", "--parent", "lead", ...call]);
  const { requestId } = await lead.line("its prompt", (line) =>
    [promptOf(line)].find((prompt) => prompt?.value === command),
  );
  return { worker, requestId };
}

it("an operator finds an ask of a session by its heartbeat, looks at it and allows it", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const { worker, requestId } = await asked(bench, lead, "git push");
  const listed = await operate(bench, "alice", "pending", "list", "--json");
  expect(listed.lines.map((line) => LINE_SCHEMAS.pending.parse(line).pending)).toMatchObject([
    { session: "lead", requestId, child: "worker", surface: "bash", value: "git push" },
  ]);
  const shown = await operate(bench, "alice", "pending", "show", requestId, "--json");
  const { digest, ask } = shownOf(shown.lines[0]);
  expect(ask.payload.request.value).toBe("git push");
  const answer = ["pending", "answer", requestId, "--session", "lead", "--allow", "--json"];
  const answered = await operate(bench, "alice", ...answer, "--digest", digest);
  expect(answered).toMatchObject({ code: 0, error: "" });
  expect(answered.lines.at(-1)).toEqual({ answered: { requestId, effective: true } });
  expect(await worker.ended()).toBe(0);
  expect(worker.lines[0]).toMatchObject({
    outcome: "allowed",
    requests: [
      {
        requestId,
        decidedBy: {
          kind: "forwarded",
          responderSessionId: "lead",
          decision: { kind: "user", via: "operator", approver: "alice" },
        },
      },
    ],
  });
  await lead.line("its prompt taken back", ({ withdrawn }) =>
    [withdrawn as { why: string } | undefined].find((one) => one?.why === "decided"),
  );
});

/** An operator's own connection, for what must happen in the same moment. */
async function lineOf(bench: Bench, operator: string): Promise<OperatorLine & AsyncDisposable> {
  const fleet = bench.connection[bench.connection.indexOf("--fleet") + 1] ?? "";
  const bus = await connect({ servers: bench.server.url, fleet, session: operator });
  const line = openOperatorLine({ bus, operator });
  return { ...line, [Symbol.asyncDispose]: async () => bus[Symbol.asyncDispose]() };
}

it("two operators and the person at the session answer at once: one verdict stands, and the others are told whose", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const { worker, requestId } = await asked(bench, lead, "git push");
  await using alice = await lineOf(bench, "alice");
  await using bob = await lineOf(bench, "bob");
  const { digest } = partOf(await alice.show("lead", requestId));
  const wants = { requestId, digest, answer: "allow" } as const;
  lead.say({ requestId, answer: "allow" });
  const replies = await Promise.all(
    [alice, bob].map(async (line) => line.ask("lead", { op: "answer", wants })),
  );
  expect(await worker.ended()).toBe(0);
  const counted = replies.filter(({ op }) => op === "answer");
  const { effective } = await lead.line("the person's answer", answeredOf);
  expect(counted.length + Number(effective)).toBe(1);
  const refused = replies.filter(({ op }) => op === "refused");
  expect(refused.length).toBe(2 - counted.length);
  expect(JSON.stringify(refused).match(/"outcome":"allowed"/g)).toHaveLength(refused.length);
  const [outcome] = worker.lines.map((line) => LINE_SCHEMAS.outcome.parse(line));
  expect(outcome?.requests).toHaveLength(1);
});

it("an answer to what was shown before another process took the ask up again is refused by its digest", async () => {
  await using bench = await openBench(server);
  const first = await bench.serve("lead");
  const { worker, requestId } = await asked(bench, first, "git push");
  const { digest } = shownOf(
    (await operate(bench, "alice", "pending", "show", requestId, "--json")).lines[0],
  );
  first.kill("SIGKILL");
  await first.ended();
  const lead = await bench.serve("lead");
  await lead.line("its prompt again", promptOf);
  const answer = ["pending", "answer", requestId, "--session", "lead", "--allow"];
  const stale = await operate(bench, "alice", ...answer, "--digest", digest);
  expect(stale.code).toBe(1);
  expect(stale.error).toContain("what was shown is not what stands now");
  const again = shownOf(
    (await operate(bench, "alice", "pending", "show", requestId, "--json")).lines[0],
  );
  expect((await operate(bench, "alice", ...answer, "--digest", again.digest)).code).toBe(0);
  expect(await worker.ended()).toBe(0);
});

it("an operator allows for every child, sees the grant from afar and takes it back", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const { worker, requestId } = await asked(bench, lead, "make one");
  const { digest } = shownOf(
    (await operate(bench, "alice", "pending", "show", requestId, "--json")).lines[0],
  );
  const answer = ["pending", "answer", requestId, "--session", "lead", "--allow"];
  await operate(bench, "alice", ...answer, "--scope", "session", "--digest", digest);
  expect(await worker.ended()).toBe(0);
  const listed = await operate(bench, "bob", "grants", "list", "--session", "lead", "--json");
  const { grant } = LINE_SCHEMAS.grant.parse(listed.lines[0]);
  expect(grant).toMatchObject({ session: "lead", pattern: "make *", grantedBy: "alice" });
  const revoke = ["grants", "revoke", grant.grantId, "--session", "lead"];
  expect((await operate(bench, "bob", ...revoke)).text).toContain(`revoked ${grant.grantId}`);
  expect((await operate(bench, "bob", ...revoke)).code).toBe(1);
  await asked(bench, lead, "make two");
});

it("a session without a person leaves its asks to operators, who follow them as they come and go", async () => {
  await using bench = await openBench(server);
  await bench.serve("lead", ["--terminal", "operator"]);
  const watch = bench.run(["pending", "watch", "--as", "alice", "--json"]);
  const call = ["--tool", "bash", "--input", JSON.stringify({ command: "git push" })];
  const worker = bench.run(["ask", "--session", "worker", "--parent", "lead", ...call]);
  const { requestId } = await watch.line("the ask", pendingOf);
  const answer = ["pending", "answer", requestId, "--session", "lead", "--deny"];
  const denied = await operate(bench, "alice", ...answer, "--reason", "not on a Friday");
  expect(denied).toMatchObject({ code: 0, error: "" });
  expect(denied.text).toContain("git push");
  expect(await worker.ended()).toBe(2);
  expect(worker.lines[0]?.["text"]).toContain("not on a Friday");
  await watch.line("its end", ({ gone }) => gone);
  watch.kill("SIGTERM");
  expect(await watch.ended()).toBe(0);
  const last = await operate(bench, "alice", ...answer);
  expect(last.code).toBe(1);
  expect(last.error).toContain("this ask ended before");
});

it("an operator is told what is missing: a name, a session that serves, a verdict", async () => {
  await using bench = await openBench(server);
  const list = ["pending", "list", "--session", "lead"];
  expect((await ended(bench.run(list))).error).toContain("no operator is named");
  const silent = await operate(bench, "alice", ...list);
  expect(silent).toMatchObject({ code: 3, text: "" });
  expect(silent.error).toContain("session lead did not answer: no process serves it");
  expect((await operate(bench, "alice", "pending", "list")).text).toContain(
    "no session is heard to serve",
  );
  const answer = ["pending", "answer", "perm-1", "--session", "lead"];
  expect((await operate(bench, "alice", ...answer)).error).toContain("give --allow or --deny");
  expect((await operate(bench, "alice", ...answer, "--allow")).error).toContain("needs --digest");
});

it("with credentials of their own a session is no operator, and an operator speaks as itself alone", async () => {
  await using fleet = await openIssuedFleet(await testServer(), "jwt");
  for (const session of ["lead", "worker"]) await fleet.add(session);
  for (const name of ["alice", "bob"]) await fleet.add(name, "--role", "operator");
  const run = (name: string, ...args: readonly string[]): RunningProgram =>
    runProgram([...args, "--join", fleet.joinOf(name), "--data", join(fleet.folder, name)]);
  await using lead = run("lead", "serve", "--terminal", "operator");
  await lead.line("ready", ({ ready }) => ready);
  const call = ["--tool", "bash", "--input", JSON.stringify({ command: "git push" })];
  await using worker = run("worker", "ask", "--parent", "lead", ...call);
  const listed = await until("the ask", async () => {
    await using list = run("alice", "pending", "list", "--json");
    await list.ended();
    return list.lines.map(pendingOf).find(Boolean);
  });
  const { requestId } = listed;
  const answer = ["pending", "answer", requestId, "--session", "lead", "--deny"];
  await using asSession = run("worker", ...answer);
  expect(await asSession.ended()).toBe(1);
  expect(asSession.stderr()).toContain("issued to the session");
  await using asOther = run("alice", ...answer, "--as", "bob");
  expect(await asOther.ended()).toBe(1);
  expect(asOther.stderr()).toContain('issued to the operator "alice"');
  await using itself = run("bob", ...answer);
  expect(await itself.ended()).toBe(0);
  expect(await worker.ended()).toBe(2);
  expect(JSON.stringify(worker.lines[0])).toContain('"approver":"bob"');
});

it("a session that stops letting operators do something refuses it from then on", async () => {
  await using bench = await openBench(server);
  const config = join(bench.data, "operators.json");
  writeFileSync(config, "{}");
  const lead = await bench.serve("lead", ["--config", config]);
  const list = async (): Promise<Ended> =>
    operate(bench, "ann", "grants", "list", "--session", "lead");
  expect(await list()).toMatchObject({ code: 0 });
  writeFileSync(config, '{"operatorOps":["list"]}');
  await until("the change is noticed", () => lead.stderr().includes("was read again"));
  const refused = await list();
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.error).toContain("operatorOps");
});
