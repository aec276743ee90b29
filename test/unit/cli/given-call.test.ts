import { expect, test } from "vitest";
import { readGiven } from "../../../src/cli/given-call.ts";
import type { Io } from "../../../src/cli/io.ts";

async function given(bytes: Uint8Array): Promise<unknown> {
  const stdin = [bytes.subarray(0, 9), bytes.subarray(9)] as unknown as Io["stdin"];
  return readGiven({ stdin: true }, { stdin, cwd: "/srv" } as Io);
}

const call = (command: string, coding: BufferEncoding): Buffer =>
  Buffer.from(JSON.stringify({ toolName: "bash", input: { command }, cwd: "/srv" }), coding);

test("a call on standard input is read across the pieces it comes in", async () => {
  expect(await given(call("ls ä🦀", "utf8"))).toMatchObject({
    call: { input: { command: "ls ä🦀" } },
  });
});

test("a call that is not UTF-8 is refused: signs put in place of its bytes would be judged for them", async () => {
  await expect(given(call("ls ä", "latin1"))).rejects.toThrow("standard input is not UTF-8");
});
