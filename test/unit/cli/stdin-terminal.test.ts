import { describe, expect, it, vi } from "vitest";
import type { PromptPermissionDetails } from "../../../src/ask/details.ts";
import type { RulingEffect, TerminalAnswer } from "../../../src/ask/ports.ts";
import type { ServeLine } from "../../../src/cli/lines.ts";
import { createStdinTerminal, type StdinTerminal } from "../../../src/cli/stdin-terminal.ts";

function aDetails(
  requestId: string,
  patch: Partial<PromptPermissionDetails> = {},
): PromptPermissionDetails {
  return {
    requestId,
    source: "tool_call",
    agentName: null,
    surface: "bash",
    value: "make",
    forwarding: null,
    payload: {
      kind: "bash",
      request: {
        requester: { agentName: null, forwarded: true, sessionId: "child" },
        surface: "bash",
        toolName: "bash",
        invokedToolName: null,
        value: "make",
        matchedPattern: null,
        commandContext: null,
        executedUnit: null,
      },
      evidence: [],
      annotations: [],
    },
    ...patch,
  };
}

const WITH_GRANT = { sessionApproval: { grants: [{ surface: "bash", pattern: "make *" }] } };

interface Desk {
  readonly terminal: StdinTerminal;
  readonly printed: ServeLine[];
  /** Prompts, answers and withdrawals as short words, in order. */
  story(): string[];
  put(
    requestId: string,
    patch?: Partial<PromptPermissionDetails>,
  ): { answer: Promise<TerminalAnswer>; withdraw: (why?: string) => void; presented: () => number };
  /** Writes a line and waits until its echo is out. */
  say(value: unknown): Promise<void>;
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function aDesk(
  options: {
    open?: number;
    unshowable?: readonly string[];
    /** What becomes of every ruling. */
    effect?: RulingEffect;
  } = {},
): Desk {
  const { open = 1, unshowable = [], effect = "counted" } = options;
  const printed: ServeLine[] = [];
  const terminal = createStdinTerminal({
    open,
    print: (line) => printed.push(line),
    view: ({ requestId, surface, value, payload }, full) => {
      if (unshowable.includes(requestId)) throw new Error("no rows");
      const { requester } = payload.request;
      const text = { title: "t", surface: surface ?? "", value: value ?? "" };
      return {
        ...text,
        requester,
        rows: full ? ["a", "b"] : ["a"],
        elided: !full,
        hiddenRows: full ? 0 : 1,
      };
    },
  });
  let line = 0;
  return {
    terminal,
    printed,
    story: () => printed.map(tell),
    put: (requestId, patch) => {
      const abort = new AbortController();
      const presented = vi.fn<() => void>();
      const ask = { details: aDetails(requestId, patch), expiresAt: 5, reprompt: 0, presented };
      const answer = terminal.decide(ask, abort.signal).then((given) => {
        if (given.kind === "ruled") given.settled?.(effect);
        return given;
      });
      return {
        answer,
        withdraw: (why) => abort.abort(why),
        presented: () => presented.mock.calls.length,
      };
    },
    say: async (value) => {
      line += 1;
      terminal.read({ line, text: typeof value === "string" ? value : JSON.stringify(value) });
      await nextTurn();
    },
  };
}

const rulingIn = (answer: TerminalAnswer): unknown => "ruling" in answer && answer.ruling;

function tell(line: ServeLine): string {
  if ("prompt" in line) return `prompt ${line.prompt.requestId} +${line.prompt.waiting}`;
  if ("withdrawn" in line) return `withdrawn ${line.withdrawn.requestId} ${line.withdrawn.why}`;
  if ("answered" in line) {
    const { requestId, effective, why } = line.answered;
    return `answered ${requestId} ${effective ? "effective" : why}`;
  }
  return "error" in line ? `error ${line.error.code}` : "ready";
}

describe("the line terminal", () => {
  it("shows one ask at a time in the order of arrival and counts who waits", async () => {
    const desk = aDesk();
    for (const id of ["a", "b", "c"]) desk.put(id);
    expect(desk.story()).toEqual(["prompt a +0"]);
    await desk.say({ requestId: "a", answer: "allow" });
    await desk.say({ requestId: "b", answer: "deny" });
    expect(desk.story()).toEqual([
      "prompt a +0",
      "answered a effective",
      "prompt b +1",
      "answered b effective",
      "prompt c +0",
    ]);
    expect(desk.terminal.waiting()).toBe(0);
  });

  it("shows as many at a time as it is opened for", async () => {
    const desk = aDesk({ open: 2 });
    for (const id of ["a", "b", "c"]) desk.put(id);
    expect(desk.story()).toEqual(["prompt a +0", "prompt b +0"]);
    await desk.say({ requestId: "b", answer: "allow" });
    expect(desk.story().at(-1)).toBe("prompt c +0");
  });

  it("says that an ask was presented only once it is shown", async () => {
    const desk = aDesk();
    desk.put("a");
    const second = desk.put("b");
    expect(second.presented()).toBe(0);
    await desk.say({ requestId: "a", answer: "deny" });
    expect(second.presented()).toBe(1);
  });

  it.each([
    ["allow", { state: "approved", approved: true }, "once"],
    ["allow_for_session", { state: "approved_for_session", approved: true }, "child_session"],
    ["allow_for_serving_session", { state: "approved", approved: true }, "serving_session"],
    ["deny", { state: "denied", approved: false }, "once"],
  ])("turns %s into the person's ruling", async (answer, ruling, scope) => {
    const desk = aDesk();
    const { answer: given } = desk.put("a", WITH_GRANT);
    await desk.say({ requestId: "a", answer });
    const decidedBy = { kind: "user", via: "stdin" };
    expect(await given).toMatchObject({ kind: "ruled", scope });
    expect(rulingIn(await given)).toEqual({ ...ruling, decidedBy });
  });

  it("passes a person's reason for a denial on as it was written", async () => {
    const desk = aDesk();
    const { answer } = desk.put("a");
    await desk.say({ requestId: "a", answer: "deny", reason: " not on  Friday " });
    expect(await answer).toMatchObject({
      ruling: { state: "denied_with_reason", denialReason: " not on  Friday " },
    });
  });

  it("names the width of a grant where paths have directions", async () => {
    const desk = aDesk();
    const grants = [{ surface: "path_write", pattern: "/srv/*" }];
    const { answer } = desk.put("a", { sessionApproval: { grants } });
    await desk.say({ requestId: "a", answer: "allow_for_session" });
    expect(await answer).toMatchObject({ ruling: { sessionGrantWidth: "proven" } });
  });

  it("withdraws a prompt whose ask was taken back and shows the next", async () => {
    const desk = aDesk();
    const first = desk.put("a");
    desk.put("b");
    first.withdraw("cancelled");
    await first.answer;
    expect(desk.story()).toEqual(["prompt a +0", "withdrawn a cancelled", "prompt b +0"]);
  });

  it("drops an ask that is taken back while it waits without a word", async () => {
    const desk = aDesk();
    desk.put("a");
    desk.put("b").withdraw();
    desk.put("c");
    await desk.say({ requestId: "a", answer: "allow" });
    expect(desk.story()).toEqual(["prompt a +0", "answered a effective", "prompt c +0"]);
  });

  it("asks nobody when the ask was taken back before it came", async () => {
    const desk = aDesk();
    const ask = {
      details: aDetails("a"),
      expiresAt: 5,
      reprompt: 0,
      presented: vi.fn<() => void>(),
    };
    const answer = await desk.terminal.decide(ask, AbortSignal.abort());
    expect([answer.kind, desk.printed]).toEqual(["unavailable", []]);
  });

  it("fails an ask that cannot be shown and shows the next", async () => {
    const desk = aDesk({ unshowable: ["a"] });
    const { answer } = desk.put("a");
    desk.put("b");
    await expect(answer).rejects.toThrow("no rows");
    expect(desk.story()).toEqual(["prompt b +0"]);
  });

  it("shows everything on demand", async () => {
    const desk = aDesk();
    desk.put("a");
    await desk.say({ requestId: "a", show: "full" });
    expect(desk.printed.at(-1)).toMatchObject({
      prompt: { requestId: "a", rows: ["a", "b"], hiddenRows: 0, full: true },
    });
  });

  it.each([
    ["an id it never saw", { requestId: "x", answer: "allow" }, "answered x unknown_request"],
    ["an ask that still waits", { requestId: "b", answer: "allow" }, "answered b not_presented"],
    ["an unknown answer", { requestId: "a", answer: "yes" }, "answered a unknown_answer"],
    [
      "a grant where none is offered",
      { requestId: "a", answer: "allow_for_session" },
      "answered a no_grant_suggested",
    ],
    [
      "a wide grant where none is offered",
      { requestId: "a", answer: "allow_for_serving_session" },
      "answered a no_grant_suggested",
    ],
    [
      "a width where nothing is granted",
      { requestId: "a", answer: "allow", width: "family" },
      "answered a no_width",
    ],
    ["a line without an ask", { answer: "allow" }, "error missing_request_id"],
    ["a line that is not JSON", "allow", "error malformed_json"],
    ["a view of an ask that waits", { requestId: "b", show: "full" }, "error not_presented"],
    ["a view of an unknown ask", { requestId: "x", show: "full" }, "error unknown_request"],
  ])("refuses %s by name and changes nothing", async (_name, said, refusal) => {
    const desk = aDesk();
    desk.put("a");
    desk.put("b");
    await desk.say(said);
    await desk.say({ requestId: "a", answer: "allow" });
    expect(desk.story()).toEqual(["prompt a +0", refusal, "answered a effective", "prompt b +0"]);
  });

  it("grants the direction that was asked, or both when it is told to", async () => {
    const suggestion = {
      sessionApproval: { grants: [{ surface: "path_read", pattern: "/srv/*" }] },
    };
    const desk = aDesk({ open: 2 });
    const one = desk.put("a", suggestion);
    const two = desk.put("b", suggestion);
    await desk.say({ requestId: "a", answer: "allow_for_session" });
    await desk.say({ requestId: "b", answer: "allow_for_session", width: "family" });
    expect(await one.answer).toMatchObject({ ruling: { sessionGrantWidth: "proven" } });
    expect(await two.answer).toMatchObject({ ruling: { sessionGrantWidth: "family" } });
  });

  it("refuses a width for a grant that is not about paths", async () => {
    const desk = aDesk();
    desk.put("a", WITH_GRANT);
    await desk.say({ requestId: "a", answer: "allow_for_session", width: "family" });
    expect(desk.story()).toEqual(["prompt a +0", "answered a no_width"]);
  });

  it("lets nobody allow an ask whose evidence did not come along whole without saying so", async () => {
    const desk = aDesk();
    const large = { label: "input", text: "x", detail: "not carried: 9000 bytes, sha256 abc" };
    const { payload } = aDetails("a");
    desk.put("a", { payload: { ...payload, evidence: [large] } });
    expect(desk.printed).toMatchObject([{ prompt: { incomplete: true } }]);
    await desk.say({ requestId: "a", answer: "allow" });
    await desk.say({ requestId: "a", answer: "allow", incomplete: true });
    expect(desk.story().slice(1)).toEqual(["answered a view_incomplete", "answered a effective"]);
  });

  it("lets anybody deny such an ask", async () => {
    const desk = aDesk();
    const large = { label: "input", text: "x", detail: "not carried: 9000 bytes, sha256 abc" };
    desk.put("a", { payload: { ...aDetails("a").payload, evidence: [large] } });
    await desk.say({ requestId: "a", answer: "deny" });
    expect(desk.story().slice(1)).toEqual(["answered a effective"]);
  });

  it("refuses a second answer by name", async () => {
    const desk = aDesk();
    desk.put("a");
    await desk.say({ requestId: "a", answer: "deny" });
    await desk.say({ requestId: "a", answer: "allow" });
    expect(desk.story().at(-1)).toBe("answered a already_answered");
  });

  it("refuses an answer to a withdrawn ask by name", async () => {
    const desk = aDesk();
    desk.put("a").withdraw();
    await desk.say({ requestId: "a", answer: "allow" });
    expect(desk.story().at(-1)).toBe("answered a withdrawn");
  });

  it.each(["ended", "unrecorded"] as const)(
    "says so when an answer has %s and shows the next",
    async (effect) => {
      const desk = aDesk({ effect });
      desk.put("a");
      desk.put("b");
      await desk.say({ requestId: "a", answer: "allow" });
      expect(desk.story()).toEqual(["prompt a +0", `answered a ${effect}`, "prompt b +0"]);
    },
  );

  it("names a line that could not be read", () => {
    const desk = aDesk();
    desk.terminal.read({ line: 3, fault: "line_too_long" });
    expect(desk.printed).toMatchObject([{ error: { code: "line_too_long", line: 3 } }]);
  });

  it("ignores a taking back that comes after the answer", async () => {
    const desk = aDesk();
    const { answer, withdraw } = desk.put("a");
    await desk.say({ requestId: "a", answer: "allow" });
    withdraw();
    expect(await answer).toMatchObject({ kind: "ruled" });
    expect(desk.story()).toEqual(["prompt a +0", "answered a effective"]);
  });
});
