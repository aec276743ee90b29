import { describe, expect, it } from "vitest";
import { storyOf } from "../../../src/audit/story.ts";
import { storyText } from "../../../src/cli/story-text.ts";
import { aChain, aKeptStore } from "../../support/kept-chains.ts";

/** What a person reads of an ask whose parent took it so many milliseconds after it was sent, by its clock. */
async function textOf(receivedAt: number): Promise<string> {
  await using kept = await aKeptStore();
  const [worker, lead] = [aChain("worker"), aChain("lead")];
  const from = { requesterSessionId: "worker" };
  const to = { targetSessionId: "lead" };
  await kept.keep(
    worker.say({ event: "forwarded_permission.request_created", time: 1_000, body: to }),
    lead.say({ event: "forwarded_permission.accepted", time: 1_000 + receivedAt, body: from }),
    worker.say({ event: "forwarded_permission.accepted", time: 1_040, body: to }),
  );
  const story = await storyOf(kept.store, "perm-1");
  if (story === null) throw new Error("the store lost the ask");
  return storyText(story, 200);
}

describe("the story of an ask on a screen", () => {
  it("says after how long each step followed on its cause", async () => {
    expect(await textOf(5)).toMatch(/5 ms +\+5 ms +lead +takes the ask/);
  });

  it("shows no step before its cause, and names how far the clocks say so", async () => {
    const text = await textOf(-7);
    expect(text).toMatch(/0 ms +~0 ms +lead +takes the ask/);
    expect(text).toContain("by at most 7 ms");
    expect(text).not.toMatch(/-\d+ ms/);
  });

  it("says nothing of clocks that agree with the causes", async () => {
    expect(await textOf(5)).not.toContain("clocks");
  });
});
