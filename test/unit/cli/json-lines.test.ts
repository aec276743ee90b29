import { describe, expect, it } from "vitest";
import { type InputLine, readLines } from "../../../src/cli/json-lines.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function linesOf(chunks: readonly Uint8Array[], maxBytes = 100): Promise<InputLine[]> {
  const stream = (async function* () {
    yield* chunks;
  })();
  const lines: InputLine[] = [];
  for await (const line of readLines(stream, maxBytes)) lines.push(line);
  return lines;
}

describe("the reader of lines", () => {
  it("joins a line that arrives in pieces, also inside a character", async () => {
    const whole = bytes('{"a":"é"}\n{"b":1}\n');
    const chunks = [...whole].map((byte) => Uint8Array.of(byte));
    expect(await linesOf(chunks)).toEqual([
      { line: 1, text: '{"a":"é"}' },
      { line: 2, text: '{"b":1}' },
    ]);
  });

  it("reads a last line without its end", async () => {
    expect(await linesOf([bytes("one\ntwo")])).toEqual([
      { line: 1, text: "one" },
      { line: 2, text: "two" },
    ]);
  });

  it("skips blank lines and counts them", async () => {
    expect(await linesOf([bytes("\n \r\nthree\n")])).toEqual([{ line: 3, text: "three" }]);
  });

  it("reports a line over the limit once and reads the next", async () => {
    const chunks = [bytes("x".repeat(80)), bytes("x".repeat(80)), bytes("x\nnext\n")];
    expect(await linesOf(chunks)).toEqual([
      { line: 1, fault: "line_too_long" },
      { line: 2, text: "next" },
    ]);
  });

  it("reports an unended line over the limit at the end of the stream", async () => {
    expect(await linesOf([bytes("x".repeat(101))])).toEqual([{ line: 1, fault: "line_too_long" }]);
  });

  it("reports bytes that are not UTF-8 and reads the next line", async () => {
    expect(await linesOf([Uint8Array.of(0xff, 0xfe, 0x0a), bytes("next\n")])).toEqual([
      { line: 1, fault: "not_utf8" },
      { line: 2, text: "next" },
    ]);
  });
});
