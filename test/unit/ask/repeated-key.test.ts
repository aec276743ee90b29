import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { repeatsKey } from "../../../src/ask/repeated-key.ts";

test.each([
  ['{"a":1,"a":1}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['[{"b":[{"":0,"":0}]}]', true],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"a":{"a":{"a":["a","a"]}},"b":"a"}', false],
  ['[{"a":1},{"a":1}]', false],
  ['{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\"}', false],
  ['{"a":[1,"a",{}],"b":","}', false],
  ["7", false],
])("%s has a key twice: %j", (json, twice) => {
  expect(repeatsKey(json)).toBe(twice);
});

describe("JSON text that was written of a value", () => {
  it("has no key twice, and has one when any of its objects is given one more", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const json = JSON.stringify(value);
        expect(repeatsKey(json)).toBe(false);
        const [key = ""] = Object.keys(value);
        expect(repeatsKey(`${json.slice(0, -1)},${JSON.stringify(key)}:null}`)).toBe(true);
      }),
    );
  });
});
