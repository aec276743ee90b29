import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordLine } from "../../src/cli/record-line.ts";
import type { AuditReads } from "../../src/store/store.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { NO_TMUX } from "../support/screen.ts";
import { ARMED, bashCall, outcomeOf, serveOnScreen } from "../support/screen-scene.ts";
import { openBench } from "../support/session-pair.ts";
import { until } from "../support/until.ts";
import { openUpBench } from "../support/up-bench.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

const SIZE = { columns: 80, rows: 24, env: ["NO_COLOR=1"] };
const LOST = { outcome: "lost", lost: "parent_shut_down" };

/** The bodies of the denials that are kept, once there are any. */
async function denials(reads: AuditReads): Promise<readonly unknown[] | undefined> {
  const found = await reads.list({ event: "forwarded_permission.denied" }, 0, 9);
  return found.length > 0 ? found.map((kept) => recordLine(kept).record.body) : undefined;
}

describe.skipIf(NO_TMUX !== null)("answers at a screen", () => {
  it("a grant for the serving session answers the next ask of any child", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, SIZE);
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    const other = bench.run(["child", "--session", "other", "--parent", "lead"]);
    worker.say(bashCall("1", "git push origin main"));
    await screen.shows(ARMED);
    // This one waits behind it and is judged again by the grant.
    other.say(bashCall("2", "git push origin next"));
    await screen.shows("1 more waiting");
    screen.press("s");
    await screen.shows("for every child, without asking again:");
    await screen.shows("Enter goes back.");
    screen.press("y");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
    const byGrant = { decidedBy: { kind: "forwarded" }, outcome: "allowed" };
    expect(await other.line("its outcome", outcomeOf("2"))).toMatchObject({
      requests: [byGrant],
    });
    other.say(bashCall("3", "git push origin later"));
    expect(await other.line("its outcome", outcomeOf("3"))).toMatchObject({ outcome: "allowed" });
    await screen.shows("No ask waits.");
  });

  it("a denial with its reason reaches the child and the records as a person's at a terminal", async () => {
    await using bench = await openUpBench();
    using screen = await serveOnScreen(["--data", bench.data], SIZE);
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "make deploy"));
    await screen.shows(ARMED);
    screen.press("r");
    await screen.shows("Reason:");
    screen.type("use 日本 staging, née test 🦀");
    await screen.shows("🦀");
    screen.paste("\nand\ntell me\n");
    await screen.shows("and tell me");
    await screen.shows("Enter denies with this reason.");
    screen.press("Enter");
    const outcome = await worker.line("its outcome", outcomeOf("1"));
    const decidedBy = { kind: "user", via: "terminal" };
    expect(outcome["text"]).toContain("use 日本 staging, née test 🦀 and tell me");
    expect(outcome).toMatchObject({
      outcome: "denied",
      requests: [
        { decidedBy: { kind: "forwarded", responderSessionId: "lead", decision: decidedBy } },
      ],
    });
    await screen.shows("Denied: bash make deploy (worker)");
    const reads = await bench.reads();
    const bodies = await until("the record of the denial", async () => denials(reads), 20_000);
    const denialReason = "use 日本 staging, née test 🦀 and tell me";
    expect(bodies).toMatchObject([{ decidedBy, denialReason }]);
  }, 60_000);

  it("Ctrl-D and pasted keys decide nothing; Ctrl-C gives every open ask back and says so", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, SIZE);
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "make one"));
    await screen.shows(ARMED);
    worker.say(bashCall("2", "make two"));
    await screen.shows("1 more waiting");
    screen.press("C-d");
    await screen.shows("Ctrl-D decides nothing.");
    await screen.shows(ARMED);
    screen.paste("y\ny\n");
    await screen.shows("Several keys at once decide nothing.");
    screen.press("C-c");
    const said = await screen.shows("2 open asks went back to their children undecided");
    expect(said).not.toContain("Allowed");
    expect(said).not.toContain("Denied");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject(LOST);
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject(LOST);
  });

  it("keys typed between dialogs are not echoed and decide nothing later", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, SIZE);
    screen.type("yyyy");
    screen.press("Enter", "y");
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "make one"));
    await screen.shows(ARMED);
    expect(screen.read()).not.toContain("yy");
    screen.press("n");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "denied" });
    const idle = await screen.shows("No ask waits.");
    screen.type("echo typed ahead");
    worker.say(bashCall("2", "make two"));
    await screen.shows("make two");
    expect(idle + screen.read()).not.toContain("typed ahead");
    worker.say({ id: "2", cancel: true });
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ lost: "cancelled" });
  });

  it("the loss of the terminal gives open asks back as no person's denial", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, SIZE);
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    worker.say(bashCall("1", "make one"));
    worker.say(bashCall("2", "make two"));
    await screen.shows("1 more waiting");
    screen.hangUp();
    for (const id of ["1", "2"]) {
      const outcome = await worker.line("its outcome", outcomeOf(id));
      expect(outcome).toMatchObject(LOST);
      expect(outcome["text"]).not.toContain("user");
    }
  });

  it("forty asks are answered one after the other, in the order they came", async () => {
    await using bench = await openBench(server);
    using screen = await serveOnScreen(bench.connection, SIZE);
    const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
    const ids = Array.from({ length: 40 }, (_, i) => String(i + 1));
    for (const id of ids) worker.say(bashCall(id, `make number-${id}.`));
    await screen.shows("39 more waiting");
    const answers = ["y", "n", "Enter", "y", "y", "n"];
    for (const [i, key] of answers.entries()) {
      await screen.shows(`value     : make number-${i + 1}.`);
      await screen.shows(`${39 - i} more waiting`);
      await screen.shows(ARMED);
      screen.press(key);
      await worker.line("its outcome", outcomeOf(String(i + 1)));
    }
    const outcomes = worker.lines.map(({ id, outcome }) => [id, outcome]);
    expect(outcomes).toEqual([
      ["1", "allowed"],
      ["2", "denied"],
      ["3", "denied"],
      ["4", "allowed"],
      ["5", "allowed"],
      ["6", "denied"],
    ]);
    expect(await screen.shows("33 more waiting")).not.toContain("Warning");
  });
});
