import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Line, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { startAuditServer } from "../support/audit-server.ts";
import { aFolder } from "../support/journal-parts.ts";
import { besideProgram, onDisk, whyNoDisk } from "../support/journal-programs.ts";
import { allKeptOf, keeping, runSink } from "../support/sink-process.ts";
import { until } from "../support/until.ts";

const missing = whyNoDisk();
const because = missing === null ? "" : ` (not run: no disk can be mounted here, ${missing})`;

/** Gives a child a call that it may write a lot about, and waits for its outcome. */
async function outcomeOf(child: RunningProgram, id: string): Promise<Line> {
  child.say({ id, toolName: "bash", input: { command: `echo ${"x".repeat(2_000)}` } });
  return child.line(id, (line) => (line["id"] === id ? line : undefined), 30_000);
}

function ifLost(line: Line): Line | undefined {
  return line["outcome"] === "lost" ? line : undefined;
}

it.skipIf(missing !== null)(
  `a child whose disk is full allows nothing, says why, goes on when there is room, and its records are whole${because}`,
  async () => {
    await using audit = await startAuditServer();
    using folder = aFolder();
    const token = join(folder.path, "token");
    writeFileSync(token, "t0ken\n", { mode: 0o600 });
    const config = join(folder.path, "config.json");
    writeFileSync(config, JSON.stringify({ permission: { "*": "allow" } }));
    const data = join(folder.path, "disk");
    const where = ["--url", audit.server.url, "--fleet", "crew", "--data", data];
    const rest = ["--session", "worker", "--parent", "lead", "--config", config];
    await using child = runProgram(["child", ...rest, ...where, "--token-file", token], {
      within: onDisk(data, "size=8m"),
    });
    const call = async (id: string): Promise<Line> => outcomeOf(child, id);
    expect(await call("before")).toMatchObject({ outcome: "allowed" });

    const ballast = join(data, "ballast");
    const [command, ...beside] = besideProgram(child.pid);
    const fill = 'head -c 20000000 /dev/zero > "$0" 2>/dev/null || true';
    execFileSync(command, [...beside, "sh", "-c", fill, ballast]);
    // What was written ahead may still have room; then there is none.
    let calls = 0;
    const full = await until(
      "a lost call",
      async () => {
        calls += 1;
        return ifLost(await call(`full-${String(calls)}`));
      },
      30_000,
    );
    expect(JSON.stringify(full)).toContain("audit_unavailable");
    expect(await call("still")).toMatchObject({ outcome: "lost" });

    rmSync(`/proc/${String(child.pid)}/root${ballast}`);
    expect(await call("after")).toMatchObject({ outcome: "allowed" });
    const store = join(folder.path, "audit", "records.sqlite");
    await using sink = await keeping(runSink(audit, store, { data: folder.path }));
    child.endInput();
    expect(await child.ended(20_000)).toBe(0);
    expect(await allKeptOf(store, "worker", "audit.stopped")).toMatchObject([
      { session: "worker", faults: [] },
    ]);
    sink.kill("SIGTERM");
    expect(await sink.ended()).toBe(0);
  },
  120_000,
);
