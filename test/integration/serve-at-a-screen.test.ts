import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { NO_TMUX } from "../support/screen.ts";
import { ARMED, bashCall, outcomeOf, serveOnScreen, steady } from "../support/screen-scene.ts";
import { openBench } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

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
      using screen = await serveOnScreen(bench.connection, { columns, rows: 30 });
      const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
      worker.say(
        bashCall("1", "make \u001b[2J\u001b]0;owned\u0007 日本語 \u202e x\ry 🦀 and more words"),
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
    using screen = await serveOnScreen(bench.connection, {
      columns: 80,
      rows: 30,
      env: ["NO_COLOR=1"],
    });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "make one"));
    await screen.shows(ARMED);
    expect(screen.readStyled()).not.toContain("\u001b[");
    worker.say(bashCall("2", "make two"));
    await screen.shows("1 more waiting");
    screen.resize(60, 30);
    await screen.shows("make one");
    await screen.shows(ARMED);
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
    await screen.shows("make two");
    await screen.shows(ARMED);
    screen.press("r");
    await screen.shows("Reason:");
    await screen.shows("Enter denies without a reason.");
    worker.say({ id: "2", cancel: true });
    await screen.shows("Gone (its child took the call back)");
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "lost" });
  });

  it("shows what a grant would allow before it is given, and then asks no more", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, { columns: 80, rows: 30 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "git push origin main"));
    await screen.shows(ARMED);
    screen.press("c");
    const seen = await screen.shows("Enter goes back.");
    await expect(`${steady(seen)}\n`).toMatchFileSnapshot("../data/screens/grant-80.txt");
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
    worker.say(bashCall("2", "git push origin next"));
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "allowed" });
  });

  it("gives both directions of a path once a person has chosen and seen them", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, { columns: 80, rows: 24 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    const call = (id: string, toolName: string): object => ({
      id,
      toolName,
      input: { path: "/srv/site/index.html", content: "x" },
      cwd: "/tmp",
    });
    worker.say(call("1", "write"));
    await screen.shows("Allow access outside the folder?");
    await screen.shows(ARMED);
    screen.press("c");
    const narrow = await screen.shows("Enter goes back.");
    expect(narrow).not.toContain("_read");
    screen.press("w");
    await screen.shows("w only what was asked");
    const wide = await screen.shows("Enter goes back.");
    await expect(`${steady(wide)}\n`).toMatchFileSnapshot("../data/screens/width-80.txt");
    screen.press("y");
    await screen.shows("for this child, reading and writing: write");
    // The other ask of this call: about the tool.
    await screen.shows("Allow this tool call?");
    await screen.shows(ARMED);
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
    worker.say(call("2", "read"));
    await screen.shows("tool      : read");
    const next = await screen.shows(ARMED);
    expect(next).toContain("Allow this tool call?");
    screen.press("n");
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({
      requests: [{ outcome: "allowed" }, { outcome: "denied" }],
    });
  });

  it("goes on where it was after the screen changes its size, down to one too small", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, { columns: 80, rows: 24 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "git push origin main"));
    await screen.shows(ARMED);
    screen.resize(36, 11);
    await screen.shows("-- 1-5 of 7");
    const small = await screen.shows(`y: more. ${ARMED}`);
    await expect(`${steady(small)}\n`).toMatchFileSnapshot("../data/screens/resized-36x11.txt");
    screen.press("y");
    await screen.shows("git push");
    screen.resize(18, 4);
    await screen.shows("Enlarge it");
    const tiny = await screen.shows(ARMED);
    await expect(`${steady(tiny)}\n`).toMatchFileSnapshot("../data/screens/resized-18x4.txt");
    screen.press("y");
    screen.resize(100, 20);
    await screen.shows("y allow once");
    const large = await screen.shows(ARMED);
    await expect(`${steady(large)}\n`).toMatchFileSnapshot("../data/screens/resized-100x20.txt");
    screen.press("n");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "denied" });
  });

  it("shows all of a long command on v, row by row to its end", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, { columns: 60, rows: 20 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    const lines = Array.from({ length: 60 }, (_, i) => `echo line ${i}`);
    worker.say(bashCall("1", lines.join("\n")));
    await screen.shows("v shows all of it");
    const short = await screen.shows(ARMED);
    expect(short).not.toContain("echo line 59");
    screen.press("v");
    const first = await screen.shows("v short view");
    await expect(`${steady(first)}\n`).toMatchFileSnapshot("../data/screens/complete-60.txt");
    screen.press("Space");
    await screen.shows("echo line 15");
    screen.press("End");
    await screen.shows("echo line 59");
    screen.press("Up");
    await screen.shows("echo line 57");
    screen.press("v");
    await screen.shows("v complete view");
    await screen.shows("Enter denies.");
    screen.press("Enter");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "denied" });
  });

  it("asks once more before it allows what did not come along whole", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, { columns: 80, rows: 24 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    const content = "x".repeat(300_000);
    worker.say({ id: "1", toolName: "write", input: { path: "big.txt", content } });
    await screen.shows("Not all evidence came along.");
    await screen.shows(ARMED);
    screen.press("y");
    const asked = await screen.shows("Enter goes back.");
    await expect(`${steady(asked)}\n`).toMatchFileSnapshot("../data/screens/incomplete-80.txt");
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
  });

  it("sets title, keys and warnings off by colour where nobody forbids it", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, { columns: 80, rows: 24 });
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "make one"));
    await screen.shows(ARMED);
    const styled = steady(screen.readStyled()).trimEnd();
    await expect(`${styled.replaceAll("\u001b", "\\e")}\n`).toMatchFileSnapshot(
      "../data/screens/colour-80.txt",
    );
    screen.press("n");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "denied" });
  });
});
