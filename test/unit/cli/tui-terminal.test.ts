import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TerminalAnswer, TerminalAsk } from "../../../src/ask/ports.ts";
import { createTuiTerminal, type TuiTerminal } from "../../../src/cli/tui-terminal.ts";
import { type FakeScreen, openFakeScreen } from "../../support/fake-screen.ts";
import { aTerminalAsk } from "../../support/terminal-asks.ts";
import { until } from "../../support/until.ts";

const ARMED = "Enter denies.";
const UNARMED = "Keys work in a moment.";

let desk: FakeScreen;
let terminal: TuiTerminal;
let now: number;
let passed: number;
let hurry: NodeJS.Timeout;

interface Put {
  readonly ask: TerminalAsk;
  readonly answer: Promise<TerminalAnswer>;
  readonly presented: () => number;
  readonly takeBack: (why: string) => void;
}

function put(value: string, parts: Parameters<typeof aTerminalAsk>[1] = {}): Put {
  const presented = vi.fn<() => void>();
  const ask = aTerminalAsk({ value }, { requestId: `perm-${value}`, ...parts });
  const abort = new AbortController();
  const answer = terminal.decide({ ...ask, presented }, abort.signal).then((given) => {
    if (given.kind === "ruled") given.settled?.("counted");
    return given;
  });
  return {
    ask,
    answer,
    presented: () => presented.mock.calls.length,
    takeBack: (why) => abort.abort(why),
  };
}

/** Lets time pass step by step, and what waits for it happen. */
async function pass(ms: number): Promise<void> {
  for (let step = 0; step < ms; step += 10) {
    passed += 10;
    vi.advanceTimersByTime(10);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

beforeEach(() => {
  desk = openFakeScreen();
  now = 0;
  passed = 0;
  // A dialog waits for people; here ten times as fast as they are.
  hurry = setInterval(() => {
    passed += 50;
    vi.advanceTimersByTime(50);
  }, 5);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  terminal = createTuiTerminal({
    screen: desk.screen,
    maxRows: 24,
    fieldMaxWidth: 400,
    colour: false,
    clock: { now: () => now, monotonic: () => passed },
  });
  terminal.begin();
});
afterEach(() => {
  terminal[Symbol.dispose]();
  vi.useRealTimers();
  clearInterval(hurry);
});

describe("the terminal of a person", () => {
  it("puts asks one at a time in the order of their arrival and counts who waits", async () => {
    const asks = ["make one", "make two", "make three"].map((value) => put(value));
    await desk.shows("value     : make one");
    await desk.shows(ARMED);
    expect(terminal.waiting()).toBe(2);
    expect(asks.map(({ presented }) => presented())).toEqual([1, 0, 0]);
    desk.press("y");
    await desk.shows("Allowed once: bash make one (worker)");
    await desk.shows("value     : make two");
    await desk.shows("1 more waiting");
    await desk.shows(ARMED);
    desk.press("\r");
    await desk.shows("Denied: bash make two (worker)");
    await desk.shows("value     : make three");
    await desk.shows(ARMED);
    desk.press("n");
    await desk.shows("No ask waits.");
    const answers = await Promise.all(asks.map(async ({ answer }) => answer));
    const decidedBy = { kind: "user", via: "terminal" };
    expect(answers).toMatchObject([
      { ruling: { approved: true, state: "approved", decidedBy }, scope: "once" },
      { ruling: { approved: false, state: "denied", decidedBy } },
      { ruling: { approved: false, state: "denied", decidedBy } },
    ]);
  });

  it("decides nothing by keys that were typed before the dialog was there or as it came", async () => {
    desk.press("y");
    desk.press("\r");
    const { answer } = put("make");
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    await desk.shows(UNARMED);
    for (const key of ["\r", " ", "y", "1"]) desk.press(key);
    await desk.shows(ARMED);
    expect(isAnswered).toBe(false);
    desk.press("y");
    expect(await answer).toMatchObject({ ruling: { approved: true } });
  });

  it("allows one ask alone by an approving key that is held down", async () => {
    const first = put("make one");
    const second = put("make two");
    await desk.shows("1 more waiting");
    await desk.shows(ARMED);
    clearInterval(hurry);
    let isAnswered = false;
    void second.answer.then(() => {
      isAnswered = true;
    });
    desk.press("y");
    await first.answer;
    await pass(500);
    expect(desk.text()).toContain("value     : make two");
    for (let repeat = 0; repeat < 40; repeat += 1) {
      desk.press("y");
      await pass(30);
    }
    expect(isAnswered).toBe(false);
    await pass(800);
    desk.press("n");
    await pass(50);
    expect(await second.answer).toMatchObject({ ruling: { approved: false, state: "denied" } });
  });

  it("never approves by a key that is held down until it has shown all of an ask", async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `n-${i}`);
    const { answer } = put(lines.join("\n"));
    await desk.shows("y first shows the rest. Enter denies.");
    clearInterval(hurry);
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    for (let page = 1; page <= 3; page += 1) {
      desk.press("y");
      for (let repeat = 0; repeat < 40; repeat += 1) {
        await pass(30);
        desk.press("y");
      }
      await pass(800);
    }
    expect(desk.text()).toContain("n-59");
    expect(isAnswered).toBe(false);
    desk.press("y");
    await pass(50);
    expect(await answer).toMatchObject({ ruling: { approved: true } });
  });

  it("gives a grant over paths both directions only after it has shown both", async () => {
    const grants = [{ surface: "path_write", pattern: "/srv/*" }];
    const { answer } = put("/srv/a", { grants });
    await desk.shows(ARMED);
    desk.press("c");
    await desk.shows("w reading and writing");
    await desk.shows("Enter goes back.");
    expect(desk.text()).not.toContain("path_read");
    desk.press("w");
    await desk.shows("path_read: /srv/*");
    await desk.shows("path_write: /srv/*");
    await desk.shows("w only what was asked");
    await desk.shows("Enter goes back.");
    desk.press("y");
    expect(await answer).toMatchObject({
      scope: "child_session",
      ruling: { approved: true, sessionGrantWidth: "family" },
    });
    await desk.shows("Allowed with its like for this child, reading and writing:");
  });

  it("gives a grant over paths the direction that was asked when the other was not chosen", async () => {
    const grants = [{ surface: "path_write", pattern: "/srv/*" }];
    const { answer } = put("/srv/a", { grants });
    await desk.shows(ARMED);
    desk.press("s");
    await desk.shows("Enter goes back.");
    for (const shown of ["path_read: /srv/*", "Give this grant?"]) {
      desk.press("w");
      await desk.shows(shown);
      await desk.shows("Enter goes back.");
    }
    desk.press("y");
    expect(await answer).toMatchObject({ ruling: { sessionGrantWidth: "proven" } });
  });

  it("takes no key for a moment after the screen changed its size", async () => {
    const { answer } = put("make one");
    await desk.shows(ARMED);
    desk.resize(60, 20);
    desk.press("y");
    await desk.shows(UNARMED);
    await desk.shows(ARMED);
    desk.press("n");
    expect(await answer).toMatchObject({ ruling: { approved: false } });
  });

  it.each([
    ["pasted text with line ends", "\u001b[200~y\ry\r\u001b[201~"],
    ["several keys that arrive at once", "y\r"],
  ])("decides nothing by %s", async (_what, keys) => {
    const { answer } = put("make");
    await desk.shows(ARMED);
    desk.press(keys);
    await desk.shows("Several keys at once decide nothing.");
    await desk.shows(ARMED);
    desk.press("n");
    expect(await answer).toMatchObject({ ruling: { approved: false, state: "denied" } });
  });

  it("keeps a pasted line end in a reason as a blank, and sends the reason on Enter alone", async () => {
    const { answer } = put("make");
    await desk.shows(ARMED);
    desk.press("r");
    await desk.shows("Type the reason.");
    for (const key of "日本 ") desk.press(key);
    desk.press("\u001b[200~use staging\rplease\u001b[201~");
    await desk.shows("Reason: 日本 use staging please");
    await desk.shows("Enter denies with this reason.");
    desk.press("\r");
    expect(await answer).toMatchObject({
      ruling: { state: "denied_with_reason", denialReason: "日本 use staging please" },
    });
  });

  it("goes back by Escape from a grant and from a reason, and keeps what was typed", async () => {
    const grants = [{ surface: "bash", pattern: "make *" }];
    const { answer } = put("make", { grants });
    await desk.shows(ARMED);
    desk.press("s");
    await desk.shows("Enter goes back.");
    desk.press("\u001b");
    await desk.shows(ARMED);
    desk.press("r");
    await desk.shows("Reason:");
    desk.press("no");
    await desk.shows("Reason: no");
    desk.press("\u001b");
    await desk.shows("y allow once");
    await desk.shows(ARMED);
    desk.press("r");
    await desk.shows("Enter denies with this reason.");
    await desk.shows("Reason: no");
    expect(terminal.waiting()).toBe(0);
    desk.press("\r");
    expect(await answer).toMatchObject({ ruling: { denialReason: "no" } });
  });

  it.each([
    ["cancelled", "its child took the call back"],
    ["decided", "a rule, a grant or another answer decided it"],
    ["timed_out", "its time is over"],
    ["parent_shut_down", "this session ends and gave it back undecided"],
    ["permission_refused", "the NATS server does not let this session ask that parent"],
    ["something else", "it ended in another way"],
    ["stopped", "this process serves no longer"],
  ])("tells of an ask on show that is gone because it was %s", async (why, told) => {
    const { takeBack } = put("make one");
    const next = put("make two");
    await desk.shows(ARMED);
    takeBack(why);
    await desk.shows(`Gone (${told}): bash make`);
    await desk.shows("value     : make two");
    await desk.shows(UNARMED);
    expect(next.presented()).toBe(1);
  });

  it("says nothing about an ask that is gone before anybody saw it", async () => {
    put("make one");
    const second = put("make two");
    await desk.shows(ARMED);
    second.takeBack("cancelled");
    await desk.shows("0 more waiting");
    expect(desk.text()).not.toContain("make two");
    expect(second.presented()).toBe(0);
  });

  it("stops the program on Ctrl-C, with a dialog and without one, and answers nothing", async () => {
    desk.press("\u0003");
    await until("the first stop", () => desk.events.length === 1);
    const { answer, takeBack } = put("make");
    await desk.shows(ARMED);
    desk.press("\u0003");
    await until("the second stop", () => desk.events.length === 2);
    takeBack("parent_shut_down");
    expect(await answer).toMatchObject({ kind: "unavailable" });
    expect(desk.events).toEqual(["interrupt", "interrupt"]);
  });

  it("decides nothing on Ctrl-D and on Ctrl-Z, and says so", async () => {
    const { answer } = put("make");
    await desk.shows(ARMED);
    desk.press("\u0004");
    await desk.shows("Ctrl-D decides nothing.");
    await desk.shows(ARMED);
    desk.press("\u001a");
    await desk.shows("Ctrl-Z is off here.");
    await desk.shows(ARMED);
    desk.press("n");
    expect(await answer).toMatchObject({ ruling: { approved: false } });
  });

  it("gives up when its input ends, with a dialog on show and without one", async () => {
    const { answer } = put("make");
    await desk.shows(ARMED);
    desk.hangUp();
    await until("the loss", () => desk.events.includes("lost"));
    const settled = await Promise.race([
      answer,
      new Promise<"open">((resolve) => setImmediate(() => resolve("open"))),
    ]);
    expect(settled).toBe("open");
  });

  it("reads keys one by one all the time, so that none is echoed between dialogs", async () => {
    expect(desk.isRaw()).toBe(true);
    const { answer } = put("make");
    await desk.shows(ARMED);
    desk.press("n");
    await answer;
    await desk.shows("No ask waits.");
    expect(desk.isRaw()).toBe(true);
    terminal[Symbol.dispose]();
    expect(desk.isRaw()).toBe(false);
  });

  it("shows lines beside a dialog once it has ended, escaped, and the newest of very many", async () => {
    const { answer } = put("make");
    await desk.shows(ARMED);
    for (let i = 0; i < 300; i += 1) terminal.say(`entry ${i} \u001b[2J\u009b1A\u202e\n`);
    expect(desk.text()).not.toContain("entry");
    desk.press("n");
    await answer;
    await desk.shows("earlier lines are left out");
    await desk.shows("entry 299 \\x1b[2J\\x9b1A\\u202e");
    expect(desk.raw()).not.toContain("\u009b");
  });

  it.each([30, 80])("begins no row by what an ask is about at %d columns", async (columns) => {
    desk.resize(columns, 24);
    const posing = "Allowed once: bash ls ".repeat(9);
    const { takeBack } = put(posing, { session: posing });
    await desk.shows(ARMED);
    terminal.say(`an entry of the log about ${posing}`);
    takeBack("audit_unavailable");
    await desk.shows("No ask waits.");
    const after = desk.text().slice(desk.text().lastIndexOf("Gone (its"));
    const rows = after.split("\n");
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter((row) => row.startsWith("Allowed"))).toEqual([]);
    expect(rows.filter((row) => row.length >= columns)).toEqual([]);
  });

  it("outlives a flood of asks that come and go, and shows what is left", async () => {
    const first = put("make first");
    await desk.shows(ARMED);
    const flood = Array.from({ length: 5_000 }, (_, i) => put(`make ${i}`));
    await desk.shows("5000 more waiting");
    for (const { takeBack } of flood.slice(1)) takeBack("cancelled");
    await desk.shows("1 more waiting");
    desk.press("n");
    await first.answer;
    await desk.shows("value     : make 0");
    // Each frame is drawn as a whole: one a moment, not one an ask.
    expect(desk.text().split("Allow this command?").length).toBeLessThan(100);
  });

  it("approves without all evidence only when the person confirms that", async () => {
    const evidence = [{ label: "input", text: "{", detail: "not carried: 300000 bytes, sha256 x" }];
    const { answer } = put("make", { payload: { evidence } });
    await desk.shows("Not all evidence came along.");
    await desk.shows(ARMED);
    desk.press("y");
    await desk.shows("Allow it without all evidence?");
    await desk.shows("Enter goes back.");
    desk.press("\r");
    await desk.shows("y allow once");
    await desk.shows(ARMED);
    desk.press("y");
    await desk.shows("Enter goes back.");
    desk.press("y");
    expect(await answer).toMatchObject({ ruling: { approved: true }, scope: "once" });
  });
});
