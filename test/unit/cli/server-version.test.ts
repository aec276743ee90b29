import { describe, expect, it } from "vitest";
import { isAtLeast, parseServerVersion } from "../../../src/cli/server/server-version.ts";

describe("the version of a server", () => {
  it.each([
    ["nats-server: v2.10.27\n", "2.10.27"],
    ["nats-server: v2.9.10", "2.9.10"],
    ["nats-server: v2.12.0-preview.1\n", "2.12.0"],
    ["a warning\nnats-server: v2.11.3\n", "2.11.3"],
  ])("is read from %j", (printed, text) => {
    expect(parseServerVersion(printed)?.text).toBe(text);
  });

  it.each(["", "nats-server", "nats: v2.1.0", "nats-server: v2.10", "nats-server: v2.10.1x"])(
    "is not read from %j",
    (printed) => {
      expect(parseServerVersion(printed)).toBeNull();
    },
  );

  it.each([
    ["2.10.0", "2.9.10", true],
    ["2.9.10", "2.9.9", true],
    ["2.9.10", "2.9.10", true],
    ["2.9.10", "2.10.0", false],
    ["1.99.99", "2.0.0", false],
    ["3.0.0", "2.99.99", true],
  ])("%s counts against %s by number", (one, other, expected) => {
    const versions = [parseServerVersion(`nats-server: v${one}`)].filter((read) => read !== null);
    expect(versions.map((version) => isAtLeast(version, other))).toEqual([expected]);
  });
});
