import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isReady, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { type IssuedFleet, openIssuedFleet } from "../support/issued-fleet.ts";
import { testServer } from "../support/nats-servers.ts";

/** The public keys of a fleet's speakers, by name. */
async function keysOf(fleet: IssuedFleet): Promise<Readonly<Record<string, string>>> {
  const { lines } = await fleet.creds("show");
  const shown = lines.map((line) => line["credential"] as { name: string; publicKey: string });
  return Object.fromEntries(shown.map(({ name, publicKey }) => [name, publicKey]));
}

function settings(fleet: IssuedFleet, name: string, content: object): readonly string[] {
  const file = join(fleet.folder, `${name}.config.json`);
  writeFileSync(file, JSON.stringify({ permission: { "*": "ask" }, ...content }));
  const data = join(fleet.folder, name);
  return ["--join", fleet.joinOf(name), "--data", data, "--config", file];
}

async function serve(
  fleet: IssuedFleet,
  name: string,
  content: object,
  ...more: readonly string[]
): Promise<RunningProgram> {
  const program = runProgram(["serve", ...settings(fleet, name, content), ...more]);
  await program.line("ready", isReady);
  return program;
}

async function ask(fleet: IssuedFleet, parent: string, requireSigners: readonly string[]) {
  const call = ["--tool", "bash", "--input", JSON.stringify({ command: "git status" })];
  const place = settings(fleet, "worker-1", { requireSigners });
  const args = ["ask", ...place, "--parent", parent, ...call, "--timeout-ms", "2500"];
  await using run = runProgram(args);
  await run.ended(20_000);
  return { line: run.lines[0], error: run.stderr() };
}

const ALLOWS_GIT = { permission: { bash: { "*": "ask", "git *": "allow" } } };

describe("decisions that are signed", () => {
  it("are believed by the key that the child names, and by no other", async () => {
    await using fleet = await openIssuedFleet(await testServer(), "jwt");
    for (const name of ["lead", "worker-1"]) await fleet.add(name);
    const keys = await keysOf(fleet);
    await using _lead = await serve(fleet, "lead", { ...ALLOWS_GIT, signDecisions: true });
    const right = await ask(fleet, "lead", [keys["lead"] as string]);
    expect(right.line).toMatchObject({ outcome: "allowed" });
    const wrong = await ask(fleet, "lead", [keys["sink"] as string]);
    expect(wrong.line).toMatchObject({ outcome: "lost", lost: "timed_out" });
    expect(wrong.error).toContain("is not signed by a key of requireSigners");
  });

  it("are signed and demanded on each hop of a relay", async () => {
    await using fleet = await openIssuedFleet(await testServer(), "nkeys");
    for (const name of ["top", "middle", "worker-1"]) await fleet.add(name);
    const keys = await keysOf(fleet);
    await using _top = await serve(fleet, "top", { ...ALLOWS_GIT, signDecisions: true });
    const relaying = { signDecisions: true, requireSigners: [keys["top"]] };
    await using _middle = await serve(fleet, "middle", relaying, "--parent", "top");
    const right = await ask(fleet, "middle", [keys["middle"] as string]);
    expect(right.line).toMatchObject({ outcome: "allowed" });
    const above = await ask(fleet, "middle", [keys["top"] as string]);
    expect(above.line).toMatchObject({ outcome: "lost" });
  });

  it("need a credential with a key, and keys that are some", async () => {
    await using fleet = await openIssuedFleet(await testServer(), "jwt");
    await fleet.add("lead");
    const place = settings(fleet, "lead", { requireSigners: ["lead"] });
    await using run = runProgram(["serve", ...place]);
    expect(await run.ended()).toBe(1);
    expect(run.stderr()).toContain('requireSigners: "lead" is no public key of a user');
  });
});
