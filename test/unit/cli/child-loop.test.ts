import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/ask/outcome.ts";
import { runChildLoop } from "../../../src/cli/child-loop.ts";
import type { ErrorLine, OutcomeLine } from "../../../src/cli/lines.ts";

const ended = (outcome: "allowed" | "denied"): Outcome => ({
  outcome,
  text: "t",
  waitedMs: 1,
  requests: [],
});
const CANCELLED: Outcome = { ...ended("denied"), outcome: "lost", lost: "cancelled" };

interface Run {
  readonly printed: (OutcomeLine | ErrorLine)[];
  /** Ends the open call of that command. */
  end(command: string): void;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Stands for a moment in which calls can end. */
const PAUSE = Symbol("pause");

/** Runs the loop over lines; calls stay open until they are ended or aborted. */
function aRun(lines: readonly unknown[], ending: "open" | "ended" = "ended"): Run {
  const printed: (OutcomeLine | ErrorLine)[] = [];
  const open = new Map<unknown, () => void>();
  const stop = new AbortController();
  const stream = (async function* () {
    for (const [index, value] of lines.entries()) {
      if (value === PAUSE) {
        await untilRead();
        continue;
      }
      yield { line: index + 1, text: typeof value === "string" ? value : JSON.stringify(value) };
    }
    if (ending === "open") {
      await new Promise<never>(() => undefined);
    }
  })();
  const done = runChildLoop({
    lines: stream,
    print: (line) => printed.push(line),
    cwd: "/here",
    signal: stop.signal,
    decide: async (call, { signal }) =>
      new Promise((resolve) => {
        open.set(call.input["command"], () => resolve(ended("allowed")));
        signal.addEventListener("abort", () => resolve(CANCELLED), { once: true });
      }),
  });
  return { printed, end: (command) => open.get(command)?.(), stop, done };
}

const call = (id: string | number, command = String(id)): object => ({
  id,
  toolName: "bash",
  input: { command },
});
const tell = (line: OutcomeLine | ErrorLine): unknown =>
  "outcome" in line ? [line.id, line.outcome] : line.error.code;
const untilRead = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the loop of child", () => {
  it("decides many calls at once and prints each outcome when it comes", async () => {
    const run = aRun([call("a"), call("b"), call(3)]);
    await untilRead();
    for (const command of ["3", "a", "b"]) run.end(command);
    await run.done;
    expect(run.printed.map(tell)).toEqual([
      [3, "allowed"],
      ["a", "allowed"],
      ["b", "allowed"],
    ]);
  });

  it("ends only when all outcomes are out", async () => {
    const run = aRun([call("a")]);
    let over = false;
    void run.done.then(() => {
      over = true;
    });
    await untilRead();
    expect(over).toBe(false);
    run.end("a");
    await run.done;
    expect(run.printed).toHaveLength(1);
  });

  it("takes a cancelled call back and leaves the others alone", async () => {
    const run = aRun([call("a"), call("b"), { id: "a", cancel: true }]);
    await untilRead();
    expect(run.printed).toMatchObject([{ id: "a", outcome: "lost", lost: "cancelled" }]);
    run.end("b");
    await run.done;
    expect(run.printed.at(-1)).toMatchObject({ id: "b", outcome: "allowed" });
  });

  it.each([
    ["a second call with the id of an open one", call("a", "other"), "duplicate_id"],
    ["a cancel of an unknown call", { id: "x", cancel: true }, "unknown_id"],
    ["a line that is not JSON", "{", "malformed_json"],
    ["a call without a tool", { id: "y", input: {} }, "malformed_tool_name"],
  ])("refuses %s by name and lives on", async (_name, line, code) => {
    const run = aRun([call("a"), line]);
    await untilRead();
    expect(run.printed).toMatchObject([{ error: { code, line: 2 } }]);
    run.end("a");
    await run.done;
    expect(run.printed).toMatchObject([{ error: { code } }, { id: "a", outcome: "allowed" }]);
  });

  it("takes an id again once its call has ended", async () => {
    const run = aRun([call("a"), PAUSE, call("a")]);
    await untilRead();
    run.end("a");
    await untilRead();
    run.end("a");
    await run.done;
    expect(run.printed.map(tell)).toEqual([
      ["a", "allowed"],
      ["a", "allowed"],
    ]);
  });

  it("takes back what is open when it is stopped", async () => {
    const run = aRun([call("a"), call("b")], "open");
    await untilRead();
    run.stop.abort();
    await run.done;
    expect(run.printed).toMatchObject([
      { id: "a", lost: "cancelled" },
      { id: "b", lost: "cancelled" },
    ]);
  });
});
