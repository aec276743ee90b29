import { describe, expect, it } from "vitest";
import { encodeToken, isToken } from "../../../src/wire/token.ts";

describe("a name as a subject token", () => {
  it.each([
    ["Build_agent-07", "Build_agent-07"],
    ["a.b", "a=2Eb"],
    ["*>", "=2A=3E"],
    ["=2E", "=3D2E"],
    ["", "="],
    ["ü/€", "=C3=BC=2F=E2=82=AC"],
    ["a \r\n\tb", "a=20=0D=0A=09b"],
    ["\u0000", "=00"],
    ["h".padEnd(44, "x"), "h".padEnd(44, "x")],
  ])("writes %j as %s", (name, token) => {
    expect(encodeToken(name)).toBe(token);
  });

  it("keeps a token of 96 characters and digests one of 97", () => {
    expect(encodeToken("n".repeat(96))).toBe("n".repeat(96));
    expect(encodeToken("n".repeat(97))).toBe("=hMR4Biv1VlW1_URYvTEuMTHd2LnQLbNzgo2G_v1wXvbk");
  });

  it("counts the encoded length, not the name's", () => {
    expect(encodeToken(".".repeat(32))).toBe("=2E".repeat(32));
    expect(encodeToken(".".repeat(33))).toMatch(/^=h[A-Za-z0-9_-]{43}$/);
    expect(encodeToken(`${"€".repeat(10)}${"n".repeat(6)}`)).toHaveLength(96);
    expect(encodeToken(`${"€".repeat(10)}${"n".repeat(7)}`)).toHaveLength(45);
  });

  it.each(["\ud800", "x\udc00", "\udc00\ud800"])("refuses half a surrogate pair in %j", (name) => {
    expect(() => encodeToken(name)).toThrow(TypeError);
  });

  it.each(["a=2Eb", "=", "=C3=BC", `=h${"A".repeat(43)}`, "n".repeat(96)])(
    "knows %s as a token",
    (text) => {
      expect(isToken(text)).toBe(true);
    },
  );

  it.each(["", "a.b", "*", ">", "a b", "a=2e", "a=2", "=h", `=h${"A".repeat(42)}`, "ü", "a\n"])(
    "does not take %j for a token",
    (text) => {
      expect(isToken(text)).toBe(false);
    },
  );

  it("does not take 97 characters for a token", () => {
    expect(isToken("n".repeat(97))).toBe(false);
    expect(isToken("=2E".repeat(33))).toBe(false);
  });
});
