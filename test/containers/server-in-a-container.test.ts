import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { isReady, type Line, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { type ContainerServer, NO_CONTAINER, startContainer } from "../support/nats-container.ts";
import { promptOf } from "../support/session-pair.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

// Whoever runs the tests without it is told what was not tested.
if (NO_CONTAINER !== null) process.stderr.write(`skipped: ${NO_CONTAINER}\n`);

const RULES = "deploy/examples/rules.json";

describe.skipIf(NO_CONTAINER !== null)(
  "a server in a container with the accounts of deploy",
  () => {
    let server: ContainerServer;
    let folder: TempFolder;
    let store: string;
    const ends = new AsyncDisposableStack();
    const run = (args: readonly string[]): RunningProgram =>
      ends.use(runProgram([...args, "--url", server.url]));
    const asSession = (name: string): readonly string[] => {
      const data = join(folder.path, name);
      mkdirSync(data, { recursive: true, mode: 0o700 });
      return ["--session", name, "--data", data, "--token-file", server.secret("token")];
    };
    const serve = async (name: string): Promise<RunningProgram> => {
      const lead = run(["serve", ...asSession(name), "--config", RULES]);
      await lead.line("the ready line", isReady, 20_000);
      return lead;
    };
    const asking = (name: string, parent: string, command: string): RunningProgram => {
      const worker = run(["child", ...asSession(name), "--parent", parent]);
      worker.say({ id: "one", toolName: "bash", input: { command } });
      return worker;
    };
    const outcomeOf = async (worker: RunningProgram): Promise<Line> => {
      const isEnd = (line: Line): Line | undefined => (line["id"] === "one" ? line : undefined);
      const outcome = await worker.line("its outcome", isEnd, 40_000);
      worker.endInput();
      expect(await worker.ended()).toBe(0);
      return outcome;
    };

    beforeAll(async () => {
      folder = ends.use(tempFolder());
      server = ends.use(await startContainer());
      store = join(folder.path, "records.sqlite");
      const data = ["--data", join(folder.path, "audit")];
      const made = run([
        "audit",
        "provision",
        "--secret-file",
        server.secret("provisioner.secret"),
        ...data,
      ]);
      if ((await made.ended(20_000)) !== 0) throw new Error(made.stderr());
      const sink = run([
        "audit",
        "run",
        "--secret-file",
        server.secret("sink.secret"),
        "--store",
        store,
        ...data,
      ]);
      await sink.line("the ready line", isReady, 20_000);
      process.stderr.write(`nats-server ${server.version} in a container\n`);
    }, 180_000);

    afterAll(async () => ends.disposeAsync(), 60_000);

    it("carries an ask to the rules of its parent and the answer back", async () => {
      await serve("lead-1");
      expect(await outcomeOf(asking("worker-1", "lead-1", "git status --short"))).toMatchObject({
        outcome: "allowed",
        requests: [{ resolution: "policy_allow" }],
      });
      expect(await outcomeOf(asking("worker-2", "lead-1", "rm -rf build"))).toMatchObject({
        outcome: "denied",
        requests: [{ resolution: "policy_deny" }],
      });
    }, 60_000);

    it("carries an ask to a person and the reason of the denial back", async () => {
      const lead = await serve("lead-2");
      const worker = asking("worker-3", "lead-2", "git push origin main");
      const { requestId } = await lead.line("the prompt", promptOf);
      lead.say({ requestId, answer: "deny", reason: "use the staging branch" });
      const outcome = await outcomeOf(worker);
      expect(outcome).toMatchObject({ outcome: "denied", requests: [{ requestId }] });
      expect(outcome["text"]).toContain("use the staging branch");
    }, 60_000);

    it("loses neither the prompt nor the answer when it is killed while a person thinks", async () => {
      const lead = await serve("lead-3");
      const worker = asking("worker-4", "lead-3", "git push origin main");
      const { requestId } = await lead.line("the prompt", promptOf);
      server.kill();
      lead.say({ requestId, answer: "allow" });
      await lead.line("the echo", (line) => line["answered"]);
      server.start();
      expect(await outcomeOf(worker)).toMatchObject({
        outcome: "allowed",
        requests: [{ requestId }],
      });
      expect(lead.lines.filter((line) => promptOf(line) !== undefined)).toHaveLength(1);
    }, 90_000);

    it("delivers the answer that was given while it stood still", async () => {
      const lead = await serve("lead-4");
      const worker = asking("worker-5", "lead-4", "git push origin main");
      const { requestId } = await lead.line("the prompt", promptOf);
      server.pause();
      lead.say({ requestId, answer: "allow" });
      await lead.line("the echo", (line) => line["answered"]);
      expect(worker.lines.filter((line) => line["id"] === "one")).toEqual([]);
      server.resume();
      expect(await outcomeOf(worker)).toMatchObject({
        outcome: "allowed",
        requests: [{ requestId }],
      });
      expect(lead.lines.filter((line) => promptOf(line) !== undefined)).toHaveLength(1);
    }, 90_000);

    it("brings every record of it into the store once, in unbroken chains", async () => {
      const lead = await serve("lead-5");
      await outcomeOf(asking("worker-6", "lead-5", "git status --short"));
      lead.kill("SIGTERM");
      expect(await lead.ended()).toBe(0);
      const stopped = async (): Promise<readonly unknown[]> => {
        await using list = runProgram(["audit", "list", "--store", store, "--all", "--json"]);
        await list.ended();
        const records = list.lines.map((line) => LINE_SCHEMAS.record.parse(line).record);
        return records
          .filter(({ event }) => event === "audit.stopped")
          .map(({ session }) => session)
          .filter((session) => ["lead-5", "worker-6"].includes(session));
      };
      await until(
        "the last record of both ends",
        async () => (await stopped()).length === 2,
        30_000,
      );
      await using verify = runProgram(["audit", "verify", "--store", store]);
      expect(await verify.ended()).toBe(0);
      expect(verify.stdout()).toContain("nothing is wrong");
    }, 90_000);

    it("lets nobody in without a secret, and a session's secret keeps no record", async () => {
      const spy = join(folder.path, "spy");
      const bare = run(["serve", "--session", "spy", "--data", spy]);
      expect(await bare.ended(20_000)).toBe(1);
      expect(bare.stderr()).toContain("credentials");
      const token = join(folder.path, "stolen.secret");
      cpSync(server.secret("token"), token);
      const sink = run([
        "audit",
        "run",
        "--secret-file",
        token,
        "--store",
        join(folder.path, "spy.sqlite"),
        "--data",
        spy,
      ]);
      expect(await sink.ended(20_000)).toBe(1);
      expect(server.log()).not.toContain(readFileSync(token, "utf8"));
    }, 60_000);
  },
);
