import { expect, test } from "vitest";
import { readVerdict } from "../../../src/chain/read-verdict.ts";

test("a reason is bounded and well-formed, so that it never keeps a verdict from its child", () => {
  const long = readVerdict({ kind: "deny", reason: `${"x".repeat(1_999)}😀${"y".repeat(9_000)}` });
  expect(long).toEqual({ kind: "deny", reason: `${"x".repeat(1_999)}\ufffd…` });
  expect(readVerdict({ kind: "deny", reason: "\ud800" })).toEqual({
    kind: "deny",
    reason: "\ufffd",
  });
});

test("a verdict that throws when it is read is none", () => {
  const trap = Object.defineProperty({}, "kind", {
    get: () => {
      throw new Error("trap");
    },
  });
  expect(readVerdict(trap)).toBeNull();
});
