import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlain } from "../../src/shell/read-plain.ts";
import { readStrictly } from "../../src/shell/read-shell.ts";
import { otherReadings } from "../../src/shell/readings.ts";

const word = fc.oneof(
  fc.constantFrom("git", "cargo", "cat", "bash", "sudo", "time", "export", "local", "coproc", "ls"),
  fc.constantFrom("if", "then", "fi", "do", "in", "function", "select", "case", "-c", "--", "2"),
  fc.constantFrom("A=1", "a[0]=1", "--x=y", "/usr/bin/rm", "./run", "..", "a.b:c", "%1", "+x", ","),
  fc.constantFrom("~", "~root", "*", "a?", "{a,b}", "!", "!!", "#", "$x", "''", '"a"', "\\a", "é"),
  fc.string({
    unit: fc.constantFrom("a", "Z", "0", "9", "_", "@", "%", "+", ":", ",", ".", "/", "=", "-"),
    minLength: 1,
    maxLength: 6,
  }),
);

const text = fc
  .array(fc.tuple(word, fc.constantFrom(" ", " ", " ", "  ", "\t", "\n", ";", "&&", "|", ">", "")))
  .map((parts) => parts.map(([one, joint]) => one + joint).join(""));

const words = fc.tuple(word, word, word);
const command = fc.oneof(
  word,
  words.map((some) => some.join(" ")),
);

describe("the quick reading of a plain command", () => {
  it("finds what the strict reader finds, or leaves the text to it", () => {
    fc.assert(
      fc.property(fc.oneof(text, command), (source) => {
        const read = readPlain(source);
        expect([null, readStrictly(source)]).toContainEqual(read);
      }),
      { numRuns: 3000 },
    );
  });

  it("takes a program with options and operands, so that the strict reader is spared", () => {
    expect(readPlain("cargo test --locked --features=a,b -p server-1 ./crates")).toEqual(
      readStrictly("cargo test --locked --features=a,b -p server-1 ./crates"),
    );
  });

  it("costs no other reading: the command by its base name is still one", () => {
    fc.assert(
      fc.property(words, ([first, ...rest]) => {
        const source = [first, ...rest].join(" ");
        fc.pre(readPlain(source) !== null);
        const named = [first.slice(first.lastIndexOf("/") + 1), ...rest].join(" ");
        const expected = [named].filter((one) => !["", source].includes(one));
        expect(otherReadings(source)).toEqual(expect.arrayContaining(expected));
      }),
      { numRuns: 2000 },
    );
  });
});
