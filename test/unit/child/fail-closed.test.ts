import { describe, expect, it } from "vitest";
import type { Clock, Log } from "../../../src/ask/ports.ts";
import type { ToolCall } from "../../../src/ask/tool-call.ts";
import { type Journal, JournalError, type JournalWrites } from "../../../src/journal/journal.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { aCall, childScene, rulesOf, settle } from "../../support/child-scene.ts";
import { aFolder, REAL_CLOCK } from "../../support/journal-parts.ts";

/** A journal whose transactions fail as `fails` says, with what `error` makes. */
async function aFailingJournal(
  fails: (tx: JournalWrites) => boolean,
  error: () => Error = () => new JournalError("journal_full", "/x", "The disk is full."),
): Promise<Journal & { readonly dispose: () => Promise<void> }> {
  const folder = aFolder();
  const journal = await openJournal({
    folder: folder.path,
    session: "child-1",
    clock: REAL_CLOCK,
  });
  const checked =
    <T>(work: (tx: JournalWrites) => T) =>
    (tx: JournalWrites): T => {
      const value = work(tx);
      if (fails(tx)) throw error();
      return value;
    };
  return {
    ...journal,
    write: (work) => journal.write(checked(work)),
    group: async (work) => journal.group(checked(work)),
    soon: async (work) => journal.soon(checked(work)),
    dispose: async () => {
      await journal.close(false);
      folder[Symbol.dispose]();
    },
  };
}

const THROWING_LOG: Log = {
  debug: () => {
    throw new Error("no log");
  },
  info: () => {
    throw new Error("no log");
  },
  warn: () => {
    throw new Error("no log");
  },
  error: () => {
    throw new Error("no log");
  },
};

describe("a child whose journal fails", () => {
  it("refuses an ask that it cannot write down, and publishes nothing", async () => {
    let failing = false;
    const journal = await aFailingJournal(() => failing);
    await using scene = await childScene({ journal });
    failing = true;
    const outcome = await scene.child.decide(aCall());
    expect(outcome).toMatchObject({
      outcome: "lost",
      lost: "audit_unavailable",
      requests: [{ resolution: "confirmation_unavailable" }],
    });
    expect(outcome.text).not.toMatch(/user|denied/i);
    await settle();
    expect(scene.parent.asks).toEqual([]);
    await journal.dispose();
  });

  it("refuses what a rule allows when the allow cannot be recorded", async () => {
    let failing = false;
    const journal = await aFailingJournal(() => failing);
    await using scene = await childScene({ journal, rules: rulesOf({ bash: "allow" }) });
    failing = true;
    expect(await scene.child.decide(aCall())).toMatchObject({
      outcome: "lost",
      lost: "audit_unavailable",
      requests: [{ outcome: "lost", lost: "audit_unavailable" }],
    });
    await journal.dispose();
  });

  it("denies what a rule denies all the same", async () => {
    let failing = false;
    const journal = await aFailingJournal(() => failing);
    await using scene = await childScene({ journal, rules: rulesOf({ bash: "deny" }) });
    failing = true;
    expect(await scene.child.decide(aCall())).toMatchObject({ outcome: "denied" });
    await journal.dispose();
  });

  it.each([
    ["the file", "audit_unavailable", undefined],
    ["the work itself", "gate_error", () => new Error("a bug")],
  ] as const)(
    "takes no approval that it cannot write down because of %s, and says that it came late",
    async (_name, lost, error) => {
      let failing = false;
      const journal = await aFailingJournal(() => failing, error);
      await using scene = await childScene({ journal });
      const outcome = scene.child.decide(aCall());
      const ask = await scene.ask();
      failing = true;
      scene.parent.decide(ask);
      expect(await outcome).toMatchObject({ outcome: "lost", lost });
      await settle();
      expect(scene.parent.receipts.map(({ message }) => message.effect)).toEqual(["late"]);
      await journal.dispose();
    },
  );

  it("gives an accepted ask up when it cannot note who accepted it, and takes it back", async () => {
    let failing = false;
    const journal = await aFailingJournal(() => failing);
    await using scene = await childScene({ journal });
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    failing = true;
    scene.parent.accept(ask);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "audit_unavailable" });
    await settle();
    expect(scene.parent.cancels).toHaveLength(1);
    await journal.dispose();
  });

  it("takes no approval of an ask that another process has ended", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.journal.write((tx) =>
      tx.endChildAsk(ask.ask.id, {
        outcome: "lost",
        decisionDigest: null,
        lost: "cancelled",
        endedAt: 1,
      }),
    );
    scene.parent.decide(ask);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "gate_error" });
    expect(scene.journal.read.childAsk(ask.ask.id)?.end).toMatchObject({ outcome: "lost" });
  });
});

describe("a child in which something throws", () => {
  const GARBAGE: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["null", null],
    ["a text", "rm -rf /"],
    ["an empty object", {}],
    ["a number as tool", { toolName: 5, input: {}, cwd: "/srv" }],
    ["no tool and no skill", { toolName: null, input: {}, cwd: "/srv" }],
    ["a list as input", { toolName: "bash", input: ["ls"], cwd: "/srv" }],
    ["no folder", { toolName: "bash", input: { command: "ls" } }],
    ["a relative folder", { toolName: "bash", input: { command: "ls" }, cwd: "srv" }],
    ["half an MCP call", { toolName: "x", input: {}, cwd: "/srv", mcp: { server: "a" } }],
    [
      "a number as call id",
      { toolName: "bash", input: { command: "ls" }, cwd: "/", toolCallId: 1 },
    ],
    ["a big integer", { toolName: "x", input: { n: 1n }, cwd: "/srv" }],
  ];

  it.each(GARBAGE)(
    "refuses %s as a call although the rules allow everything",
    async (_name, call) => {
      await using scene = await childScene({ rules: rulesOf({ "*": "allow" }) });
      const outcome = await scene.child.decide(call as ToolCall);
      expect(outcome).toMatchObject({
        outcome: "lost",
        lost: "gate_error",
        requests: [{ resolution: "gate_error", decidedBy: { kind: "gate_error" } }],
      });
      expect(outcome.text).not.toMatch(/user|denied/i);
      const [request] = outcome.requests;
      expect(request?.requestId).toMatch(/^perm-/);
      const decisions = scene.records().filter((body) => body["resolution"] === "gate_error");
      expect(decisions.map((body) => body["requestId"])).toEqual([
        request?.requestId,
        request?.requestId,
      ]);
    },
  );

  it("refuses a call whose fields throw when they are read", async () => {
    await using scene = await childScene({ rules: rulesOf({ "*": "allow" }) });
    const call = Object.defineProperty({ cwd: "/srv", input: {} }, "toolName", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(await scene.child.decide(call as unknown as ToolCall)).toMatchObject({
      outcome: "lost",
      lost: "gate_error",
    });
  });

  it.each([0, -1, Number.NaN, 86_400_001])(
    "refuses a call that may wait %d ms",
    async (timeoutMs) => {
      await using scene = await childScene();
      const outcome = await scene.child.decide(aCall(), { timeoutMs });
      expect(outcome).toMatchObject({ outcome: "lost", lost: "gate_error" });
    },
  );

  it("refuses under the id the request already has when its ask cannot be made", async () => {
    await using scene = await childScene();
    Object.defineProperty(scene.port, "maxPayloadBytes", {
      get: () => {
        throw new Error("no size");
      },
    });
    const outcome = await scene.child.decide(aCall());
    expect(outcome).toMatchObject({
      outcome: "lost",
      lost: "gate_error",
      requests: [{ surface: "bash", value: "make deploy", resolution: "gate_error" }],
    });
    const id = outcome.requests[0]?.requestId;
    expect(scene.records("permission_request.blocked")).toEqual([
      expect.objectContaining({ requestId: id, resolution: "gate_error", toolCallId: "call-1" }),
    ]);
    expect(scene.records().filter((body) => body["result"] === "deny")).toEqual([
      expect.objectContaining({ requestId: id, resolution: "gate_error" }),
    ]);
  });

  it.each([
    ["the rules' grants cannot be read", new JournalError("journal_corrupt", "/x", "Damaged.")],
    ["a gate has a fault", new TypeError("undefined is not a function")],
  ])("refuses when %s", async (_name, error) => {
    await using scene = await childScene({ rules: rulesOf({ "*": "allow" }) });
    const read = {
      ...scene.journal.read,
      grants: () => {
        throw error;
      },
    };
    await using other = await childScene({
      journal: { ...scene.journal, read },
      rules: rulesOf({ "*": "allow" }),
    });
    expect((await other.child.decide(aCall())).outcome).toBe("lost");
  });

  it("decides as ever when its log throws", async () => {
    await using scene = await childScene({ log: THROWING_LOG });
    const outcome = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask());
    expect((await outcome).outcome).toBe("allowed");
    expect(await scene.child.decide(null as unknown as ToolCall)).toMatchObject({
      lost: "gate_error",
    });
  });

  it("blocks under the id it has when everything that records throws", async () => {
    let failing = false;
    const journal = await aFailingJournal(
      () => failing,
      () => new Error("no record"),
    );
    const rules = rulesOf({ "*": "allow", bash: { "make *": "allow", "rm *": "deny" } });
    await using scene = await childScene({ journal, rules, log: THROWING_LOG });
    failing = true;
    Object.defineProperty(scene.port, "publish", {
      configurable: true,
      value: () => {
        throw new Error("no publish");
      },
    });
    const calls = [aCall("rm x"), aCall("make x"), null as unknown as ToolCall];
    for (const call of calls) {
      const outcome = await scene.child.decide(call);
      expect(outcome.outcome).not.toBe("allowed");
      expect(outcome.requests).toHaveLength(1);
      expect(outcome.requests[0]?.requestId).toMatch(/^perm-/);
    }
    Reflect.deleteProperty(scene.port, "publish");
    await journal.dispose();
  });

  it("refuses when its clock throws", async () => {
    let monotonic = (): number => performance.now();
    const clock: Clock = { now: () => Date.now(), monotonic: () => monotonic() };
    await using scene = await childScene({ clock, rules: rulesOf({ "*": "allow" }) });
    monotonic = () => {
      throw new Error("no clock");
    };
    expect((await scene.child.decide(aCall())).outcome).toBe("lost");
    monotonic = () => performance.now();
  });
});
