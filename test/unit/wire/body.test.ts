import { afterEach, describe, expect, it } from "vitest";
import { ownData, readJson } from "../../../src/wire/body.ts";
import { parseDecision } from "../../../src/wire/decision.ts";
import { aDecision } from "../../support/asks.ts";

describe("the bytes of a body", () => {
  it.each([
    ["empty", []],
    ["half a character", [0xc3]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["an encoded surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["not UTF-8", [0xff, 0xfe]],
    ["a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ["an opening alone", [0x7b]],
    ["two values", [0x7b, 0x7d, 0x7b, 0x7d]],
  ])("are no JSON when they are %s", (_why, bytes) => {
    expect(readJson(Uint8Array.from(bytes))).toBeUndefined();
  });

  it("are read with blanks around them", () => {
    expect(readJson(Buffer.from(' {"a": "ü"}\r\n'))).toEqual({ a: "ü" });
  });

  it("are no JSON when a text form of them holds half a surrogate pair", () => {
    expect(readJson('{"a":"\ud800"}')).toBeUndefined();
    expect(readJson('{"a":"\\ud800"}')).toEqual({ a: "\ud800" });
  });

  it("are not read when they are longer than any message", () => {
    const fits = Buffer.from(`"${"a".repeat(512 * 1024 - 2)}"`);
    expect(readJson(fits)).toBeTypeOf("string");
    expect(readJson(Buffer.concat([fits, Buffer.from(" ")]))).toBeUndefined();
  });

  it("do not crash when they open lists without end", () => {
    expect(readJson(Buffer.alloc(100_000, "["))).toBeUndefined();
    expect(readJson(Buffer.alloc(5_000_000, "["))).toBeUndefined();
  });
});

describe("data of its own", () => {
  const polluted = Object.prototype as Record<string, unknown>;

  afterEach(() => {
    delete polluted["decidedBy"];
    delete polluted["state"];
  });

  it.each(["decidedBy", "state"] as const)(
    "supplies no %s that somebody put on every object of the process",
    (field) => {
      const { [field]: value, ...rest } = aDecision();
      expect(parseDecision(rest.requestId, aDecision())).toEqual(aDecision());
      polluted[field] = value;
      expect(parseDecision(rest.requestId, rest)).toBeNull();
      expect(parseDecision(rest.requestId, { ...rest, sessionGrantWidth: "all" })).toBeNull();
      expect(parseDecision(rest.requestId, { ...rest, [field]: value })).toEqual(aDecision());
    },
  );

  it("ends where no message goes deeper", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`);
    expect(JSON.stringify(ownData(deep))).toBe(`${'{"a":'.repeat(31)}{}${"}".repeat(31)}`);
  });
});
