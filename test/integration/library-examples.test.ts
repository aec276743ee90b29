import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { joinFileOf, writeJoin } from "../../src/cli/join.ts";
import { startNats } from "../support/nats-launcher.ts";
import { until } from "../support/until.ts";

const example = (name: string): string =>
  fileURLToPath(new URL(`../../docs/examples/${name}.ts`, import.meta.url));

async function runChild(args: readonly string[]): Promise<{ code: unknown; text: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [example("child"), ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, text: stdout + stderr }),
    );
  });
}

it("the child and the parent of the docs decide a call between two processes", async () => {
  const token = "shown-by-both";
  await using server = await startNats({ config: `authorization { token: ${token} }` });
  const data = mkdtempSync(join(tmpdir(), "askfabric-examples-"));
  writeJoin(joinFileOf(data), { url: server.url, token, fleet: "default" });
  const parent = spawn(process.execPath, [example("parent"), data]);
  try {
    let told = "";
    parent.stdout.on("data", (chunk: Buffer) => {
      told += chunk.toString();
    });
    parent.stderr.on("data", (chunk: Buffer) => {
      told += chunk.toString();
    });
    await until("the parent's first word", () => told.includes("lead serves as"), 10_000);
    expect(await runChild([data, "git status"])).toMatchObject({ code: 0 });
    const make = await runChild([data, "make"]);
    expect(make.code).toBe(1);
    expect(make.text).toContain("only git is run here");
    const rm = await runChild([data, "rm x"]);
    expect(rm.code).toBe(1);
    expect(rm.text).toContain('"rm *"');
    const gone = new Promise((resolve) => parent.once("exit", (code) => resolve(code)));
    parent.kill("SIGTERM");
    expect(await gone).toBe(0);
  } finally {
    parent.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  }
});
