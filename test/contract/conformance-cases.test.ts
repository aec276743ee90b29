import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ops } from "../conformance/adapter.ts";
import { expandMacros } from "../support/case-macros.ts";
import { matchesCase } from "../support/case-match.ts";

interface Case {
  readonly id: string;
  readonly op: string;
  readonly why: string;
  readonly input: unknown;
  readonly expect: unknown;
}

const FOLDER = fileURLToPath(new URL("../conformance/cases", import.meta.url));
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const read = (name: string): readonly Case[] =>
  JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")) as readonly Case[];

/** What the product answers, as JSON; an error is told by its message. */
async function answerTo({ op, input }: Case): Promise<unknown> {
  try {
    const output: unknown = await ops[op]?.(expandMacros(input) as never);
    return output === undefined ? null : JSON.parse(JSON.stringify(output));
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

describe("the cases of the contract", () => {
  it("have names of their own", () => {
    const ids = FILES.flatMap((name) => read(name).map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(400);
    expect(new Set(ids).size).toBe(ids.length);
  });

  describe.each(FILES)("in %s", (name) => {
    it.each(read(name))("$id: $why", async (one) => {
      const answer = await answerTo(one);
      const expected = expandMacros(one.expect);
      expect({ answer, expected, holds: matchesCase(expected, answer) }).toMatchObject({
        holds: true,
      });
    });
  });
});

describe("a matcher of the cases", () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ $partial: { a: 1 } }, { b: 1 }],
    [[1], [1, 2]],
    [{ $any: 1 }, [2]],
    [{ $none: 1 }, [1]],
    [{ $all: 1 }, [1, 2]],
    [{ $contains: "x" }, "y"],
    [{ $notContains: "x" }, "x"],
    [{ $matches: "^a" }, "b"],
    [{ $absent: true }, null],
    [{ $oneOf: [1, 2] }, 3],
    [{ $not: 1 }, 1],
    [{ $lte: 1 }, 2],
    [{ $length: 1 }, "ab"],
    [{ $keys: ["a"] }, { a: 1, b: 1 }],
  ])("%j does not take %j", (expected, actual) => {
    expect(matchesCase(expected, actual)).toBe(false);
  });
});
