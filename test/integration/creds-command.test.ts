import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isReady, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { type IssuedFleet, modesOf, openIssuedFleet } from "../support/issued-fleet.ts";
import { allServers, testServer } from "../support/nats-servers.ts";
import { until } from "../support/until.ts";

/** What a fleet of two sessions needs beside its credentials. */
function rulesOf(fleet: IssuedFleet): { readonly parent: string; readonly child: string } {
  const parent = join(fleet.folder, "parent.json");
  const child = join(fleet.folder, "child.json");
  writeFileSync(parent, JSON.stringify({ permission: { bash: { "*": "ask", "git *": "allow" } } }));
  writeFileSync(child, JSON.stringify({ permission: { "*": "ask" } }));
  return { parent, child };
}

async function ready(program: RunningProgram): Promise<RunningProgram> {
  await program.line("ready", isReady);
  return program;
}

async function serve(fleet: IssuedFleet, name: string): Promise<RunningProgram> {
  const data = join(fleet.folder, name);
  const { parent } = rulesOf(fleet);
  const flags = ["--join", fleet.joinOf(name), "--data", data, "--config", parent];
  return ready(runProgram(["serve", "--terminal", "deny", ...flags]));
}

async function ask(fleet: IssuedFleet, name: string, ...more: readonly string[]) {
  const { child } = rulesOf(fleet);
  const data = join(fleet.folder, `${name}-asks`);
  const place = ["--join", fleet.joinOf(name), "--data", data, "--config", child];
  const call = ["--tool", "bash", "--input", JSON.stringify({ command: "git status" })];
  await using run = runProgram(["ask", ...place, "--parent", "lead", ...call, ...more]);
  const code = await run.ended(20_000);
  return { code, outcome: run.lines[0]?.["outcome"], error: run.stderr() };
}

async function keepRecords(fleet: IssuedFleet): Promise<RunningProgram> {
  await using made = runProgram(["audit", "provision", "--join", fleet.joinOf("provisioner")]);
  expect(await made.ended()).toBe(0);
  const data = join(fleet.folder, "audit");
  return await ready(runProgram(["audit", "run", "--join", fleet.joinOf("sink"), "--data", data]));
}

const servers = await allServers();

describe.each(servers.map((program) => ({ program, version: program.version.text })))(
  "a fleet of issued credentials on nats-server $version",
  ({ program }) => {
    it.each(modesOf(program))(
      "by %s asks, answers and keeps records, each speaker as itself",
      async (mode) => {
        await using fleet = await openIssuedFleet(program, mode);
        await using keeping = await keepRecords(fleet);
        await fleet.add("lead");
        await fleet.add("worker-1", "--expires", "8h");
        await using _lead = await serve(fleet, "lead");
        expect(await ask(fleet, "worker-1")).toMatchObject({ code: 0, outcome: "allowed" });
        const other = await ask(fleet, "worker-1", "--session", "worker-2");
        expect(other.code).toBe(1);
        expect(other.error).toContain('was issued to the session "worker-1" and cannot speak as');
        keeping.kill("SIGTERM");
        expect(await keeping.ended()).toBe(0);
        const store = join(fleet.folder, "audit");
        await using list = runProgram(["audit", "list", "--data", store, "--json"]);
        await list.ended();
        expect(list.stdout()).toContain("worker-1");
        expect(fleet.serverLog()).not.toContain("Permissions Violation");
      },
    );

    it.each(modesOf(program))(
      "by %s takes a new credential over the old one without a stop",
      async (mode) => {
        await using fleet = await openIssuedFleet(program, mode);
        await fleet.add("lead");
        await fleet.add("worker-1");
        await using lead = await serve(fleet, "lead");
        const before = readFileSync(fleet.joinOf("lead"), "utf8");
        expect((await fleet.creds("rotate", "lead")).code).toBe(0);
        expect(readFileSync(fleet.joinOf("lead"), "utf8")).not.toBe(before);
        expect(await ask(fleet, "worker-1")).toMatchObject({ outcome: "allowed" });
        expect((await fleet.creds("revoke", "lead", "--old")).code).toBe(0);
        expect(await ask(fleet, "worker-1")).toMatchObject({ outcome: "allowed" });
        expect(lead.lines.filter((line) => line["ready"] === true)).toHaveLength(1);
      },
    );

    it.each(modesOf(program))(
      "by %s refuses what was revoked and goes on with the others",
      async (mode) => {
        await using fleet = await openIssuedFleet(program, mode);
        await fleet.add("lead");
        await fleet.add("worker-1");
        await fleet.add("worker-2");
        await using _lead = await serve(fleet, "lead");
        expect((await fleet.creds("revoke", "worker-1")).lines).toContainEqual({
          revoked: { name: "worker-1", credentials: 1 },
        });
        const refused = await ask(fleet, "worker-1");
        expect(refused.code).toBe(1);
        expect(refused.error).toContain("refused the creds of this connection");
        expect(await ask(fleet, "worker-2")).toMatchObject({ outcome: "allowed" });
      },
    );
  },
);

const asking = servers.filter((program) => modesOf(program).includes("callout"));
if (asking.length === 0) {
  process.stderr.write("skipped: no nats-server here can ask who a connection is; 2.10 can\n");
}

describe.each(asking.map((program) => ({ program, version: program.version.text })))(
  "a fleet whose server asks, on nats-server $version",
  ({ program }) => {
    it("goes on while one of two services is killed, and cuts what is revoked when it has to ask again", async () => {
      await using fleet = await openIssuedFleet(program, "callout", { renew: "5s" });
      await fleet.add("lead");
      await fleet.add("worker-1");
      await using _lead = await serve(fleet, "lead");
      fleet.services[0]?.kill("SIGKILL");
      expect(await ask(fleet, "worker-1")).toMatchObject({ outcome: "allowed" });
      await fleet.creds("revoke", "lead");
      await until(
        "the one that was revoked to be cut",
        () => fleet.services[1]?.stderr().includes("the credential was revoked or is over"),
        10_000,
      );
      expect(await ask(fleet, "worker-1")).toMatchObject({ outcome: "lost" });
    });

    it("lets nobody in while no service runs", async () => {
      await using fleet = await openIssuedFleet(program, "callout");
      await fleet.add("worker-1");
      for (const service of fleet.services) await service[Symbol.asyncDispose]();
      const { code, outcome } = await ask(fleet, "worker-1");
      expect(code).not.toBe(0);
      expect(outcome).not.toBe("allowed");
    });
  },
);

describe("creds", () => {
  it("names what stands against a change, with the way out", async () => {
    await using fleet = await openIssuedFleet(await testServer(), "jwt");
    await fleet.add("lead");
    const told = async (...args: readonly string[]): Promise<string> => {
      const { code, error } = await fleet.creds(...args);
      expect(code).toBe(1);
      return error;
    };
    expect(await told("init")).toContain("holds a fleet already");
    expect(await told("add", "a", "b", "--out", "x.json")).toContain("--out names one file");
    expect(await told("add", "new", "lead")).toContain('"lead" has a credential already');
    expect(
      (await fleet.creds("show")).lines.map((line) => JSON.stringify(line)).join(),
    ).not.toContain('"name":"new"');
    expect(existsSync(fleet.joinOf("new"))).toBe(false);
    const both = await fleet.creds("add", "one", "other");
    expect(both.lines.filter((line) => "issued" in line)).toHaveLength(2);
    expect(await told("add", "lead")).toContain('"askfabric creds rotate" issues a new one');
    expect(await told("add", "lead", "--role", "operator")).toContain("is a session and cannot be");
    expect(await told("add", "w", "--expires", "soon")).toContain("such as 8h");
    expect(await told("rotate", "nobody")).toContain("was never issued a credential");
    expect(await told("revoke", "nobody")).toContain("has no credential that counts");
    const missing = runProgram(["creds", "show", "--issuer", join(fleet.folder, "none")]);
    await missing.ended();
    expect(missing.stderr()).toContain('"askfabric creds init" sets one up');
  });

  it("has rules of an agent allow for a session that the roster attests it to, and for no other", async () => {
    await using fleet = await openIssuedFleet(await testServer(), "jwt");
    await fleet.add("lead");
    await fleet.add("worker-1", "--agent", "builder");
    await fleet.add("worker-2");
    const scoped = { builder: { permission: { bash: { "*": "ask", "git *": "allow" } } } };
    const rules = join(fleet.folder, "agents.json");
    writeFileSync(rules, JSON.stringify({ permission: { "*": "ask" }, agents: scoped }));
    const place = ["--join", fleet.joinOf("lead"), "--data", join(fleet.folder, "lead")];
    const roster = ["--roster", join(fleet.issuer, "roster.json")];
    const flags = ["--terminal", "deny", "--config", rules, ...place, ...roster];
    await using _lead = await ready(runProgram(["serve", ...flags]));
    const claim = ["--agent", "builder"];
    expect(await ask(fleet, "worker-1", ...claim)).toMatchObject({ outcome: "allowed" });
    expect((await ask(fleet, "worker-2", ...claim)).outcome).not.toBe("allowed");
  });

  it("keeps every secret in files of this user alone, and out of what it prints and logs", async () => {
    await using fleet = await openIssuedFleet(await testServer(), "jwt");
    await fleet.add("lead");
    const shown = await fleet.creds("show");
    const files = readdirSync(fleet.issuer, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter(({ name }) => !name.startsWith("server.pid"));
    const open = files.filter(
      ({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0,
    );
    expect(open.map(({ name }) => name)).toEqual([]);
    const printed = JSON.stringify(shown) + fleet.serverLog();
    expect(printed).toContain('"lead"');
    expect(printed).not.toMatch(/\bS[OAU][A-Z2-7]{56}\b/);
  });
});
