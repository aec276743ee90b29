import { expect, it } from "vitest";
import { prettyEntry } from "../../../src/cli/pretty-entry.ts";

it("an entry on a terminal is one line that no screen obeys", () => {
  const entry = {
    level: "warn",
    time: "2026-01-02T03:04:05.678Z",
    msg: "a prompt\u001b[2J",
    requestId: "perm-1",
    ms: 12,
    value: "two\nlines \u202e",
  };
  expect(prettyEntry(entry)).toBe(
    "03:04:05 warn  a prompt\\x1b[2J requestId=perm-1 ms=12 value=two\\nlines \\u202e\n",
  );
});
