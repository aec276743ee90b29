import { describe, expect, it } from "vitest";
import { frameCutter } from "../../../storm/wire/frames.ts";

const STREAM = Buffer.from(
  'INFO {"a":1}\r\nPUB a.b 5\r\nhe\r\no\r\nPING\r\nHMSG s 1 r 4 6\r\nh: 1xy\r\n+OK\r\nMSG s 1 0\r\n\r\n',
  "latin1",
);

const UNITS = [
  'INFO {"a":1}\r\n',
  "PUB a.b 5\r\nhe\r\no\r\n",
  "PING\r\n",
  "HMSG s 1 r 4 6\r\nh: 1xy\r\n",
  "+OK\r\n",
  "MSG s 1 0\r\n\r\n",
];

describe("the cutter of a link", () => {
  it.each([1, 2, 3, 7, 1_000])("gives whole units whatever comes, %i bytes at a time", (size) => {
    const cut = frameCutter();
    const frames = [];
    for (let at = 0; at < STREAM.length; at += size) {
      frames.push(...cut(STREAM.subarray(at, at + size)));
    }
    expect(frames.map(({ bytes }) => bytes.toString("latin1"))).toEqual(UNITS);
    expect(frames.map(({ message }) => message)).toEqual([false, true, false, true, false, true]);
  });
});
