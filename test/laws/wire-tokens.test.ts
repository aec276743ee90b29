import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSubjects } from "../../src/wire/subjects.ts";
import { encodeToken, isToken } from "../../src/wire/token.ts";
import { someText } from "../support/wire-arbitraries.ts";

const someName = fc.oneof(
  someText,
  fc.string({ unit: "binary", maxLength: 120 }),
  fc.string({ unit: fc.constantFrom("=", "h", "A", "0", "2", "E", "."), maxLength: 8 }),
);

/** What a token stands for; null for a digest. */
function meaning(token: string): string | null {
  if (token.startsWith("=h")) return null;
  const hex = token.replace(/=([0-9A-F]{2})|([^=])/g, (_, code?: string, plain?: string) =>
    code === undefined ? Buffer.from(plain ?? "").toString("hex") : code,
  );
  return Buffer.from(hex === "=" ? "" : hex, "hex").toString("utf8");
}

/** The name, where its escaped form is short enough. */
function expected(name: string): string | null {
  const widths = Array.from(Buffer.from(name), (byte) =>
    /[\w-]/.test(String.fromCharCode(byte)) ? 1 : 3,
  );
  return widths.reduce<number>((sum, width) => sum + width, 0) > 96 ? null : name;
}

describe("the token of any name", () => {
  it("is one legal token of at most 96 characters", () => {
    fc.assert(
      fc.property(someName, (name) => {
        const token = encodeToken(name);
        expect(token).toMatch(/^[A-Za-z0-9_=-]{1,96}$/);
        expect(isToken(token)).toBe(true);
      }),
    );
  });

  it("tells the name again, or is its digest", () => {
    fc.assert(
      fc.property(someName, (name) => {
        const token = encodeToken(name);
        expect(meaning(token)).toEqual(expected(name));
      }),
    );
  });

  it("is shared by no two names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(someName, { minLength: 2, maxLength: 40 }), (names) => {
        expect(new Set(names.map(encodeToken)).size).toBe(names.length);
      }),
    );
  });

  it("is refused for every name with half a surrogate pair", () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
    fc.assert(
      fc.property(someText, half, (text, lone) => {
        expect(() => encodeToken(text + lone)).toThrow(TypeError);
      }),
    );
  });

  it("never moves a subject to another row or session", () => {
    const subjects = createSubjects("af.v1.default");
    fc.assert(
      fc.property(someName, someName, someName, (...names) => {
        const [parent, child, rid] = names.map(encodeToken) as [string, string, string];
        const subject = subjects.of("dec", { parent, child, rid });
        expect(subjects.parse(subject)).toEqual({ kind: "dec", parent, child, rid });
        expect(subject.split(".")).toHaveLength(7);
      }),
    );
  });
});
