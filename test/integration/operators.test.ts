import { afterAll, beforeAll, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type { ShownLine } from "../../src/cli/operator/lines.ts";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

/** What a command left behind. */
interface Ended {
  readonly code: number | string;
  readonly lines: readonly Line[];
  readonly text: string;
  readonly error: string;
}

async function ended(program: RunningProgram): Promise<Ended> {
  const code = await program.ended();
  return { code, lines: program.lines, text: program.stdout(), error: program.stderr() };
}

/** Runs a command of an operator to its end. */
async function operate(bench: Bench, as: string, ...args: readonly string[]): Promise<Ended> {
  return ended(bench.run([...args, "--as", as]));
}

function shownOf(line: Line | undefined): ShownLine["shown"] {
  return LINE_SCHEMAS.shown.parse(line).shown;
}

/** Asks for a command and waits until it is before the person of `lead`. */
async function asked(
  bench: Bench,
  lead: RunningProgram,
  command: string,
): Promise<{ readonly worker: RunningProgram; readonly requestId: string }> {
  const input = JSON.stringify({ command });
  const call = ["--tool", "bash", "--input", input];
  const worker = bench.run(["ask", "--session", "worker", "--parent", "lead", ...call]);
  const { requestId } = await lead.line("its prompt", (line) =>
    [promptOf(line)].find((prompt) => prompt?.value === command),
  );
  return { worker, requestId };
}

it("an operator finds an ask of a session by its heartbeat, looks at it and allows it", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const { worker, requestId } = await asked(bench, lead, "git push");
  const listed = await operate(bench, "alice", "pending", "list", "--json");
  expect(listed.lines.map((line) => LINE_SCHEMAS.pending.parse(line).pending)).toMatchObject([
    { session: "lead", requestId, child: "worker", surface: "bash", value: "git push" },
  ]);
  const shown = await operate(bench, "alice", "pending", "show", requestId, "--json");
  const { digest, ask } = shownOf(shown.lines[0]);
  expect(ask.payload.request.value).toBe("git push");
  const answer = ["pending", "answer", requestId, "--session", "lead", "--allow", "--json"];
  const answered = await operate(bench, "alice", ...answer, "--digest", digest);
  expect(answered).toMatchObject({ code: 0, error: "" });
  expect(answered.lines.at(-1)).toEqual({ answered: { requestId, effective: true } });
  expect(await worker.ended()).toBe(0);
  expect(worker.lines[0]).toMatchObject({
    outcome: "allowed",
    requests: [
      {
        requestId,
        decidedBy: {
          kind: "forwarded",
          responderSessionId: "lead",
          decision: { kind: "user", via: "operator", approver: "alice" },
        },
      },
    ],
  });
  await lead.line("its prompt taken back", ({ withdrawn }) =>
    [withdrawn as { why: string } | undefined].find((one) => one?.why === "decided"),
  );
});
