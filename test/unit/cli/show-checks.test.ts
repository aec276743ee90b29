import { describe, expect, it } from "vitest";
import { checkText } from "../../../src/cli/show-checks.ts";

describe("a check told to a person", () => {
  it("says how it stands, what was found, and below it what to do", () => {
    const line = { check: "server", status: "fail", text: "no server", todo: "start one" } as const;
    expect(checkText(line, 80)).toBe("FAIL     no server\n         → start one\n");
    expect(checkText({ check: "x", status: "ok", text: "all is well" }, 80)).toBe(
      "ok       all is well\n",
    );
  });

  it("is whole on a narrow screen, and nothing of it acts there", () => {
    const text = `the file ${"a".repeat(60)} holds \u001b[2J`;
    const told = checkText({ check: "x", status: "warn", text, todo: "mend it ".repeat(9) }, 40);
    for (const line of told.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(told.replaceAll(/\s/g, "")).toContain("a".repeat(60));
    expect(told).not.toContain("\u001b");
  });
});
