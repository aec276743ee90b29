import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { NO_TMUX, runOnScreen, type ScreenProgram } from "../support/screen.ts";
import { ARMED, bashCall, outcomeOf } from "../support/screen-scene.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

const SIZE = { columns: 80, rows: 24, env: ["NO_COLOR=1"] };

/** A call of a child that waits for the person of `lead`. */
async function waitingAt(bench: Bench) {
  const lead = await bench.serve("lead");
  const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
  worker.say(bashCall("1", "git push origin main"));
  const { requestId } = await lead.line("the prompt", promptOf);
  return { lead, worker, requestId };
}

function answerOnScreen(bench: Bench, requestId: string): ScreenProgram {
  const answer = ["pending", "answer", requestId, "--session", "lead", "--as", "alice"];
  return runOnScreen([...answer, ...bench.connection], SIZE);
}

describe.skipIf(NO_TMUX !== null)("an operator at a screen", () => {
  it("answers with the keys of a dialog, which deny with Enter and count once armed", async () => {
    await using bench = await openBench(server);
    const { worker, requestId } = await waitingAt(bench);
    using screen = answerOnScreen(bench, requestId);
    expect(await screen.shows(ARMED)).toContain("value     : git push origin main");
    screen.press("y");
    await screen.shows("Allowed once");
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
  });

  it("gives a grant for every child after it was shown what that allows", async () => {
    await using bench = await openBench(server);
    const { worker, requestId } = await waitingAt(bench);
    using screen = answerOnScreen(bench, requestId);
    await screen.shows(ARMED);
    screen.press("s");
    await screen.shows("for every child, without asking again:");
    await screen.shows("Enter goes back.");
    screen.press("y");
    await screen.shows("for every child");
    worker.say(bashCall("2", "git push origin next"));
    expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "allowed" });
  });

  it("sees its dialog end when the person at the session was first", async () => {
    await using bench = await openBench(server);
    const { lead, worker, requestId } = await waitingAt(bench);
    using screen = answerOnScreen(bench, requestId);
    await screen.shows(ARMED);
    lead.say({ requestId, answer: "deny" });
    expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "denied" });
    await screen.shows("Gone (a rule, a grant or another answer decided it)");
  });
});
