import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { isReady, type Line } from "../support/askfabric.ts";
import { type DeployedMachine, deployMachine } from "../support/deployed-machine.ts";
import { allServers, testServer } from "../support/nats-servers.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { readUnit, settingOf, UNIT_FOLDER } from "../support/unit-file.ts";
import { until } from "../support/until.ts";

const UNITS = readdirSync(UNIT_FOLDER).sort();
const servers = await allServers();
const hasVerifier = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasVerifier) process.stderr.write("skipped: systemd-analyze is not here to verify units\n");

/** Starts what the units start, in their order. */
async function startAll(machine: DeployedMachine): Promise<void> {
  machine.startServer();
  expect(await machine.start("askfabric-provision.service").ended(20_000)).toBe(0);
  await machine.start("askfabric-audit.service").line("the audit service", isReady, 20_000);
  await machine.start("askfabric-parent@.service", "lead").line("the parent", isReady, 20_000);
}

async function asked(machine: DeployedMachine, command: string): Promise<Line> {
  const call = ["--tool", "bash", "--input", JSON.stringify({ command })];
  const secret = ["--token-file", machine.file("etc/askfabric/secrets/token")];
  const who = ["--session", "worker", "--parent", "lead", "--data", machine.file("home")];
  const ask = machine.run("ask", ...who, ...secret, ...call);
  await ask.ended(20_000);
  return ask.lines[0] ?? { stderr: ask.stderr() };
}

describe.each(servers.map((program) => [program.version.text, program] as const))(
  "a machine set up by the files of deploy, with nats-server %s",
  (_version, program) => {
    it("judges asks by the parent's rules and keeps each record once", async () => {
      await using machine = await deployMachine(program);
      await startAll(machine);
      expect(await asked(machine, "git status --short")).toMatchObject({ outcome: "allowed" });
      expect(await asked(machine, "rm -rf build")).toMatchObject({ outcome: "denied" });
      const left = await asked(machine, "git push");
      expect(left).toMatchObject({ outcome: "lost", lost: "not_serving" });
      expect(left["text"]).toContain("nobody is there to answer at the session that was asked");
      const store = machine.file("var/lib/askfabric-audit/records.sqlite");
      await until(
        "the last record of the third ask",
        async () => {
          const list = machine.run("audit", "list", "--store", store, "--all", "--json");
          await list.ended();
          const records = list.lines.map((line) => LINE_SCHEMAS.record.parse(line).record);
          return records.filter(({ event }) => event === "audit.stopped").length === 3;
        },
        20_000,
      );
      const verify = machine.run("audit", "verify", "--store", store);
      expect(await verify.ended()).toBe(0);
      expect(verify.stdout()).toContain("records of 2 sessions: nothing is wrong");
    }, 90_000);
  },
);

describe("the server of a deployment", () => {
  it("lets nobody in without a secret, and a session's secret reads no record", async () => {
    await using machine = await deployMachine(await testServer());
    await startAll(machine);
    const bare = machine.run("serve", "--session", "spy", "--data", machine.file("spy"));
    expect(await bare.ended(20_000)).toBe(1);
    expect(bare.stderr()).toContain("credentials");
    const token = machine.file("etc/askfabric/secrets/token");
    const sink = machine.run("audit", "run", "--secret-file", token, "--data", machine.file("spy"));
    expect(await sink.ended(20_000)).toBe(1);
    const secret = readFileSync(token, "utf8");
    expect(machine.serverLog()).not.toContain(secret);
  }, 90_000);
});

describe("the script that makes secrets", () => {
  it("writes files for one user alone, and leaves them as they are the second time", async () => {
    await using machine = await deployMachine(await testServer());
    const folder = machine.file("etc/askfabric/secrets");
    const read = (): readonly string[] =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const before = read();
    spawnSync("sh", [join(UNIT_FOLDER, "..", "make-secrets.sh"), folder]);
    expect(read()).toEqual(before);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(new Set(before).size).toBe(4);
  });
});

describe("the units", () => {
  it.each(UNITS)("%s is hardened, restarts and holds no secret", (name) => {
    const unit = readUnit(name);
    const of = (key: string): string => settingOf(unit, key);
    expect(of("NoNewPrivileges")).toBe("yes");
    expect(of("ProtectSystem")).toBe("strict");
    expect(of("DynamicUser")).toBe("yes");
    expect(of("CapabilityBoundingSet")).toBe("");
    expect(["always", "on-failure"]).toContain(of("Restart"));
    expect(of("After")).not.toBe("");
    expect(unit.get("LoadCredential")).toBeDefined();
    expect(of("Environment")).not.toMatch(/token|secret|password/i);
  });

  it.runIf(hasVerifier)("are found right by systemd-analyze, and little exposed", async () => {
    using folder = tempFolder();
    const program = join(folder.path, "askfabric");
    writeFileSync(program, "");
    chmodSync(program, 0o755);
    mkdirSync(join(folder.path, "units"));
    const files = UNITS.map((name) => {
      const file = join(folder.path, "units", name.replace("@", "@lead"));
      // Neither program need be there on the machine that tests.
      const text = readFileSync(join(UNIT_FOLDER, name), "utf8")
        .replaceAll("/usr/local/bin/askfabric", program)
        .replaceAll("/usr/sbin/nats-server", program);
      writeFileSync(file, text);
      return file;
    });
    const verify = spawnSync("systemd-analyze", ["verify", "--man=no", ...files], {
      encoding: "utf8",
    });
    expect(verify.stderr).toBe("");
    expect(verify.status).toBe(0);
    const exposure = ["security", "--offline=true", "--no-pager", "--threshold=20"];
    expect(spawnSync("systemd-analyze", [...exposure, ...files]).status).toBe(0);
  });
});
