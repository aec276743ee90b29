import { expect, test } from "vitest";
import { gatherWrites } from "../../../src/bus/gather-writes.ts";

function recorder(): { readonly log: string[]; readonly writer: ReturnType<typeof writerInto> } {
  const log: string[] = [];
  const writer = writerInto(log);
  gatherWrites(writer);
  return { log, writer };
}

function writerInto(log: string[]) {
  return {
    send: (frame: Uint8Array): void => void log.push(Buffer.from(frame).toString("latin1")),
    close: async (): Promise<void> => void log.push("(close)"),
    disconnect: (): void => void log.push("(disconnect)"),
  };
}

async function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("A peer receives everything that is written in one turn in one piece and in order", async () => {
  const { log, writer } = recorder();
  writer.send(Buffer.from("ask "));
  await Promise.resolve();
  writer.send(Buffer.from("receipt "));
  await Promise.resolve().then(() => writer.send(Buffer.from("event")));
  await turn();
  writer.send(Buffer.from("later"));
  await turn();
  expect(log).toEqual(["ask receipt event", "later"]);
});

test("A peer receives large writes before the turn ends", () => {
  const { log, writer } = recorder();
  writer.send(Buffer.from("first "));
  writer.send(Buffer.alloc(64 * 1024, "x"));
  expect(log).toEqual([`first ${"x".repeat(64 * 1024)}`]);
});

test.each(["close", "disconnect"] as const)(
  "A peer receives what was written before a %s",
  async (how) => {
    const { log, writer } = recorder();
    writer.send(Buffer.from("last words"));
    await writer[how]();
    await turn();
    expect(log).toEqual(["last words", `(${how})`]);
  },
);
