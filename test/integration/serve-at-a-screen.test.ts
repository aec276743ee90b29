import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Line } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { NO_TMUX, runOnScreen, type ScreenProgram } from "../support/screen.ts";
import { type Bench, openBench } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

const ARMED = "Enter denies.";
const outcomeOf =
  (id: string) =>
  (line: Line): Line | undefined =>
    line["id"] === id ? line : undefined;
const call = (id: string, command: string): object => ({
  id,
  toolName: "bash",
  input: { command },
});

async function serveOnScreen(
  bench: Bench,
  size: Parameters<typeof runOnScreen>[1],
): Promise<ScreenProgram> {
  const screen = runOnScreen(
    [
      "serve",
      "--terminal",
      "tui",
      "--session",
      "lead",
      "--log-level",
      "error",
      ...bench.connection,
    ],
    size,
  );
  await screen.shows("Serving session");
  return screen;
}

/** The same screen on every machine and at every time. */
function steady(screen: string): string {
  return screen
    .replaceAll(/\d\d:\d\d:\d\d/g, "HH:MM:SS")
    .replaceAll(/host .*/g, "host      : HOST");
}

it("serve refuses a dialog without a terminal and names the way out", async () => {
  await using bench = await openBench(server);
  await using lead = bench.run(["serve", "--session", "lead", "--terminal", "tui"]);
  expect(await lead.ended()).toBe(1);
  expect(lead.stderr()).toContain("use --terminal stdin");
});

describe.skipIf(NO_TMUX !== null)("serve at a screen", () => {
  it.each([40, 80, 200])(
    "shows hostile text of an ask harmlessly at %d columns, and Enter denies it",
    async (columns) => {
      await using bench = await openBench(server);
      using screen = await serveOnScreen(bench, { columns, rows: 30 });
      const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
      worker.say(
        call("1", "make \u001b[2J\u001b]0;owned\u0007 日本語 \u202e x\ry 🦀 and more words"),
      );
      const seen = await screen.shows(ARMED);
      await expect(`${steady(seen)}\n`).toMatchFileSnapshot(
        `../data/screens/hostile-${String(columns)}.txt`,
      );
      screen.press("Enter");
      expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "denied" });
      await screen.shows("Denied: bash");
    },
  );

  it("counts who waits, takes one ask after the other and forgets one that was taken back", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench, { columns: 80, rows: 30, env: ["NO_COLOR=1"] });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(call("1", "make one"));
    await screen.shows(ARMED);
    expect(screen.readStyled()).not.toContain("\u001b[");
    worker.say(call("2", "make two"));
    await screen.shows("1 more waiting");
    screen.resize(60, 30);
    await screen.shows("make one");
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
    await screen.shows("make two");
    await screen.shows(ARMED);
    screen.press("r");
    await screen.shows("Reason:");
    await screen.shows("Enter denies with this reason.");
    worker.say({ id: "2", cancel: true });
    await screen.shows("Taken back");
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "lost" });
  });

  it("shows what a grant would allow before it is given, and then asks no more", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench, { columns: 80, rows: 30 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(call("1", "git push origin main"));
    await screen.shows(ARMED);
    screen.press("c");
    const seen = await screen.shows("Enter goes back.");
    await expect(`${steady(seen)}\n`).toMatchFileSnapshot("../data/screens/grant-80.txt");
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
    worker.say(call("2", "git push origin next"));
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "allowed" });
  });
});
