import { afterAll, beforeAll, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { type Line, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { bodyOf, chainFaults } from "../support/record-chain.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

const call = (id: string, command: string): object => ({
  id,
  toolName: "bash",
  input: { command },
});

const promptAbout =
  (value: string) =>
  (line: Line): { readonly requestId: string } | undefined =>
    [promptOf(line)].find((prompt) => prompt?.value === value);

const outcomeOf =
  (id: string) =>
  (line: Line): Line | undefined =>
    [line].find((one) => one["id"] === id);

/** Runs `grants …` on a bench's data folder to its end. */
async function grants(bench: Bench, ...args: readonly string[]) {
  await using program = runProgram(["grants", ...args, "--data", bench.data]);
  const code = await program.ended();
  return { code, lines: program.lines, text: program.stdout(), error: program.stderr() };
}

function grantOf(line: Line | undefined): { readonly grantId: string; readonly uses: number } {
  return LINE_SCHEMAS.grant.parse(line).grant;
}

interface Scene {
  readonly lead: RunningProgram;
  readonly worker: RunningProgram;
}

/** A serving session whose person has allowed `make one` and its like for every child. */
async function granted(bench: Bench, answer: string): Promise<Scene> {
  const lead = await bench.serve("lead");
  const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
  worker.say(call("1", "make one"));
  const { requestId } = await lead.line("the prompt", promptAbout("make one"));
  lead.say({ requestId, answer });
  await worker.line("its outcome", outcomeOf("1"));
  worker.say(call("2", "make two"));
  await worker.line("the outcome by the grant", outcomeOf("2"));
  return { lead, worker };
}

it("an operator lists a grant of a running serve, revokes it, and the next ask goes to the person again", async () => {
  await using bench = await openBench(server);
  const { lead, worker } = await granted(bench, "allow_for_serving_session");
  const listed = await grants(bench, "list", "--json");
  expect(listed.lines).toHaveLength(1);
  const grant = grantOf(listed.lines[0]);
  expect(grant).toMatchObject({
    session: "lead",
    scope: "serving_session",
    surface: "bash",
    pattern: "make *",
    uses: 1,
  });
  expect((await grants(bench, "list")).text).toMatch(
    /^grant-.*lead.*all it serves.*bash make \*.*1 used/,
  );
  const revoked = await grants(bench, "revoke", grant.grantId, "--json");
  expect(revoked).toMatchObject({ code: 0, lines: [{ revoked: grant }] });
  worker.say(call("3", "make three"));
  await lead.line("the prompt", promptAbout("make three"));
  expect((await grants(bench, "list", "--json")).text).toBe("");
  lead.kill("SIGTERM");
  await lead.ended();
  await using journal = await openJournal({
    folder: bench.data,
    session: "lead",
    clock: SYSTEM_CLOCK,
  });
  expect(chainFaults(journal)).toEqual([]);
  const rows = journal.read.outbox(1, 1_000).map(bodyOf);
  const entries = rows.filter(({ event }) => String(event).startsWith("grant."));
  expect(entries).toMatchObject([
    { event: "grant.recorded", grantId: grant.grantId, scope: "serving_session", uses: 0 },
    { event: "grant.revoked", grantId: grant.grantId, uses: 1, revokedBy: "operator" },
  ]);
});

it("an operator revokes a grant of a running child, and its next like is asked again", async () => {
  await using bench = await openBench(server);
  const { lead, worker } = await granted(bench, "allow_for_session");
  const { lines } = await grants(bench, "list", "--session", "worker", "--json");
  expect(grantOf(lines[0])).toMatchObject({ session: "worker", scope: "child_session", uses: 1 });
  expect((await grants(bench, "list", "--session", "lead", "--json")).text).toBe("");
  expect((await grants(bench, "revoke", "--all")).text).toContain(
    "1 allowed by it before, which stands",
  );
  worker.say(call("3", "make three"));
  await lead.line("the prompt", promptAbout("make three"));
});

it("a grant for a session counts for each of its calls that is a process of its own", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const ask = (command: string): RunningProgram => {
    const input = JSON.stringify({ command });
    return bench.run([
      "ask",
      "--session",
      "w",
      "--parent",
      "lead",
      "--tool",
      "bash",
      "--input",
      input,
    ]);
  };
  const first = ask("make one");
  const { requestId } = await lead.line("the prompt", promptAbout("make one"));
  lead.say({ requestId, answer: "allow_for_session" });
  expect(await first.ended()).toBe(0);
  const second = ask("make two");
  expect(await second.ended()).toBe(0);
  expect(second.lines).toMatchObject([{ requests: [{ resolution: "session_approved" }] }]);
  expect((await grants(bench, "list", "--json")).lines.map(grantOf)).toMatchObject([{ uses: 1 }]);
  expect((await grants(bench, "revoke", "--all")).code).toBe(0);
  const third = ask("make three");
  const again = await lead.line("the prompt", promptAbout("make three"));
  lead.say({ requestId: again.requestId, answer: "deny" });
  expect(await third.ended()).toBe(2);
});

it("a grant outlives the death of its serve and not an end in order", async () => {
  await using bench = await openBench(server);
  const { lead } = await granted(bench, "allow_for_serving_session");
  lead.kill("SIGKILL");
  await lead.ended();
  expect((await grants(bench, "list", "--json")).lines).toHaveLength(1);
  const again = await bench.serve("lead");
  const other = bench.run(["child", "--session", "other", "--parent", "lead"]);
  other.say(call("1", "make more"));
  expect(await other.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
  again.kill("SIGTERM");
  await again.ended();
  expect((await grants(bench, "list", "--json")).lines).toEqual([]);
});

it("grants list says that none is in force, and in which folder", async () => {
  await using bench = await openBench(server);
  const { text } = await grants(bench, "list");
  expect(text).toMatch(/^no grant is in force in \/.+\n$/);
  expect((await grants(bench, "list", "--session", "lead")).text).toContain("of session lead");
  expect((await grants(bench, "list", "--json")).lines).toEqual([]);
});

it("grants revoke names what is not there, and refuses a command line that names nothing", async () => {
  await using bench = await openBench(server);
  await granted(bench, "allow_for_serving_session");
  const unknown = await grants(bench, "revoke", "grant-unknown");
  expect(unknown).toMatchObject({ code: 1, text: "" });
  expect(unknown.error).toContain('no grant "grant-unknown" is in force');
  expect((await grants(bench, "revoke")).code).toBe(1);
  expect((await grants(bench, "revoke", "grant-unknown", "--all")).code).toBe(1);
  expect((await grants(bench, "list", "--json")).lines).toHaveLength(1);
});
