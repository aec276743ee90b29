import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Log } from "../../src/ask/ports.ts";
import type { ToolCall } from "../../src/ask/tool-call.ts";
import { type ChildScene, childScene, rulesOf } from "../support/child-scene.ts";
import { hostileText } from "../support/hostile-text.ts";
import { runs } from "../support/random-tests.ts";

/** What a call may be given as by a program that is broken, or wants to be. */
const thrower = (name: string) =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error(name);
      },
      ownKeys: () => {
        throw new Error(name);
      },
      getOwnPropertyDescriptor: () => {
        throw new Error(name);
      },
    },
  );

function changing(first: unknown, then: unknown): object {
  let reads = 0;
  return Object.defineProperty({}, "command", {
    enumerable: true,
    get: () => (reads++ === 0 ? first : then),
  });
}

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

const values = fc.oneof(
  hostileText,
  fc.anything(),
  fc.constantFrom<unknown>(
    "rm x",
    "\u0000",
    "a\u0000/../b",
    "../../../../../../etc/shadow",
    "~root/x",
    "/dev/stdin",
    "/proc/self/root/etc/shadow",
    "x".repeat(70_000),
    "(".repeat(5_000),
    "$(".repeat(3_000),
    7n,
    Symbol("s"),
    () => "rm x",
  ),
);

const inputs = fc.oneof(
  fc.dictionary(
    fc.constantFrom("command", "path", "paths", "tool", "server", "skill", "url", "__proto__"),
    values,
    { maxKeys: 4 },
  ),
  fc
    .constantFrom<() => unknown>(
      () => thrower("input"),
      () => changing("ls", "rm x"),
      () => changing("ls", undefined),
      () => deep(200),
      () => deep(20_000),
      cyclic,
      () => ({ toJSON: () => "rm x" }),
      () => ({ toJSON: () => ["rm x"] }),
      () => ({ toJSON: () => null }),
      () => ({ toJSON: thrower("json") }),
      () => ({ command: { toString: () => "rm x" } }),
      () => Object.create({ command: "rm x" }) as object,
      () => new Map([["command", "rm x"]]),
      () => new Proxy({ command: "rm x" }, { has: () => false, ownKeys: () => [] }),
    )
    .map((make) => make()),
);

const calls = fc.record(
  {
    toolName: fc.oneof(
      fc.constantFrom<unknown>(
        "bash",
        "read",
        "write",
        "grep",
        "mcp",
        "skill",
        "crm",
        null,
        "\ud800",
      ),
      values,
    ),
    input: inputs,
    cwd: fc.oneof(
      { arbitrary: fc.constant<unknown>("/srv/app"), weight: 4 },
      { arbitrary: values, weight: 1 },
    ),
    mcp: fc.oneof(
      fc.constant<unknown>({ server: "s", tool: "t" }),
      fc.constant<unknown>(thrower("mcp")),
      values,
    ),
    skill: values,
    toolCallId: values,
  },
  { requiredKeys: ["toolName", "input", "cwd"] },
);

const LOUD: Log = {
  debug: () => {
    throw new Error("log");
  },
  info: () => {
    throw new Error("log");
  },
  warn: () => {
    throw new Error("log");
  },
  error: () => {
    throw new Error("log");
  },
};

describe("a call of a program that is broken, or wants to be", () => {
  let shut: ChildScene;
  let open: ChildScene;
  beforeAll(async () => {
    shut = await childScene({ rules: rulesOf({ "*": "deny" }), log: LOUD });
    open = await childScene({
      rules: rulesOf({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } }),
      parent: null,
      log: LOUD,
    });
  });
  afterAll(async () => {
    await shut[Symbol.asyncDispose]();
    await open[Symbol.asyncDispose]();
  });

  it("is never allowed where rules deny everything, and ends with an id and a decider", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (call) => {
        const outcome = await shut.child.decide(call as unknown as ToolCall);
        expect(outcome.outcome).not.toBe("allowed");
        expect(outcome.text).toMatch(/^\[askfabric\] (?:Denied|Not run): [^\n]*$/);
        expect(outcome.requests.length).toBeGreaterThan(0);
        for (const { requestId, decidedBy } of outcome.requests) {
          expect(requestId).toMatch(/^perm-[0-9a-f-]{36}$/);
          expect(["rule", "gate_error", "unavailable"]).toContain(decidedBy.kind);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("is judged in the one form that was read, whatever it says when it is read again", async () => {
    const told = await open.child.decide({
      toolName: "bash",
      input: changing("ls", "rm x"),
      cwd: "/srv/app",
    } as unknown as ToolCall);
    expect(told).toMatchObject({ outcome: "allowed", requests: [{ value: "ls" }] });
    const other = await open.child.decide({
      toolName: "bash",
      input: changing("rm x", "ls"),
      cwd: "/srv/app",
    } as unknown as ToolCall);
    expect(other.outcome).toBe("denied");
  });

  it("ends where rules allow everything too, and never as an allow of what a rule denies", async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (call) => {
        const outcome = await open.child.decide(call as unknown as ToolCall);
        expect(["allowed", "denied", "lost"]).toContain(outcome.outcome);
        const told = outcome.requests.map(({ surface, value, outcome: end }) =>
          [surface, end, value].join(" "),
        );
        expect(told).not.toContain("bash allowed rm x");
      }),
      { numRuns: runs(400) },
    );
  });
});
