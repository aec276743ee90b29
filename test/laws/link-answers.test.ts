import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswerText, readVerdict } from "../../src/chain/read-verdict.ts";

const kindOf = (bytes: Uint8Array): string => {
  try {
    return readAnswerText(bytes).kind;
  } catch (error) {
    return error instanceof Error ? "failed" : "threw something else";
  }
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** Whether a value says allow by itself. */
function saysAllow(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.hasOwn(value, "kind") && Reflect.get(value, "kind") === "allow";
}

const answer = fc.oneof(
  fc.jsonValue(),
  fc.record({
    kind: fc.oneof(fc.constantFrom("allow", "deny", "Allow", " allow"), fc.jsonValue()),
  }),
  fc.constantFrom("allow", true, ["allow"], [{ kind: "allow" }], { Kind: "allow" }),
);

describe("what a link answers", () => {
  it("is never an allow by accident: any JSON but an object whose own kind is allow is none", () => {
    fc.assert(
      fc.property(answer, (value) => {
        expect(kindOf(bytesOf(JSON.stringify(value))) === "allow").toBe(saysAllow(value));
        expect(readVerdict(value)?.kind === "allow").toBe(saysAllow(value));
      }),
    );
  });

  it("is never an allow when anything stands before or behind it", () => {
    const beside = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(beside, (text) => {
        expect(kindOf(bytesOf(`${text}{"kind":"allow"}`))).toBe("failed");
        expect(kindOf(bytesOf(`{"kind":"allow"}${text}`))).toBe("failed");
      }),
    );
  });

  it("is never an allow when it was cut", () => {
    const allow = bytesOf('{"kind":"allow","reason":"why not"}');
    fc.assert(
      fc.property(fc.nat({ max: allow.length - 1 }), (length) => {
        expect(kindOf(allow.subarray(0, length))).toBe("failed");
      }),
    );
  });

  it("fails with a sentence for any bytes that are no verdict", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(["failed", "allow", "deny", "defer"]).toContain(kindOf(bytes));
      }),
    );
  });
});
