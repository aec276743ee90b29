import { expect, it } from "vitest";
import { SILENT_LOG } from "../../../src/ask/defaults.ts";
import { keepAsk } from "../../../src/parent/kept-ask.ts";
import { setStage } from "../../support/parent-stage.ts";

/** An ask that a parent holds, as it came and as its row has it. */
async function heldAsk() {
  await using stage = setStage();
  const { journal } = await stage.start();
  const { ask, askDigest } = stage.child().ask();
  await stage.flush();
  const row = journal.read.servedAsk(ask.id);
  if (row === null) throw new Error("the parent wrote no row");
  const kept = (text: string) => {
    const read = { servedAsk: () => ({ ...row, ask: text }) };
    const received = { ask, askDigest, childToken: row.childToken };
    return keepAsk({ session: "parent-1", read, log: SILENT_LOG }, received);
  };
  return { ask, row, kept };
}

it("parent that let go of a waiting ask reads the very same ask from its row", async () => {
  const { ask, row, kept } = await heldAsk();
  const one = kept(row.ask);
  const before = one.details;
  one.rest();
  expect(one.ask).toEqual({ ...ask, source: "tool_call" });
  expect(one.details).toEqual(before);
});

it("parent takes nothing from the row of a waiting ask whose bytes are not those that came", async () => {
  const { ask, row, kept } = await heldAsk();
  const one = kept(row.ask.replaceAll("git push origin main", "git status"));
  one.rest();
  expect(one.ask).toMatchObject({ id: ask.id, requesterSessionId: row.childToken });
  expect(one.ask).not.toHaveProperty("accessIntent");
  expect(one.details.payload.request.value).toBe("");
});
