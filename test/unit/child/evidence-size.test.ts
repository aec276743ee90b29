import { expect, test } from "vitest";
import { isIncomplete } from "../../../src/ask/carried.ts";
import { aCall, childScene } from "../../support/child-scene.ts";

test("child puts a call whose input is larger than a message, with the beginning of its input", async () => {
  await using scene = await childScene();
  const input = { url: "https://x.invalid", body: "x".repeat(400_000) };
  const call = aCall("", { toolName: "web_fetch", input });
  const outcome = scene.child.decide(call, { timeoutMs: 1_000 });
  const { ask } = await scene.ask();
  expect(ask.payload?.request.value).toBe("web_fetch");
  expect(ask.payload).toSatisfy(isIncomplete);
  await scene.child.close();
  await expect(outcome).resolves.toMatchObject({ outcome: "lost" });
});

test("child refuses a call whose very command is larger than a message", async () => {
  await using scene = await childScene();
  const outcome = await scene.child.decide(aCall(`echo ${"x".repeat(400_000)}`));
  expect(outcome).toMatchObject({ outcome: "lost", lost: "ask_too_large" });
});
