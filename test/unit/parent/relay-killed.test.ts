import { describe, expect, it } from "vitest";
import { aTree, decideCommand, shownAt } from "../../support/relay-family.ts";
import { until } from "../../support/until.ts";

const OPEN = { bash: { "*": "ask" } };
const MAKES = { bash: { "*": "ask", "make *": "allow" } };

describe("a relay that is killed", () => {
  it("goes on with the very ask it had put, when its child repeats", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const first = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    const { requestId } = ask.details;
    await first.kill();
    const second = await tree.serve("mid", { rules: OPEN, parent: "root" });
    await until("it is taken up", () => second.parent.openAsks()[0]?.state === "relayed");
    root.terminal.allow(requestId);
    expect(await deciding).toMatchObject({ outcome: "allowed", requests: [{ requestId }] });
    expect(root.terminal.put).toHaveLength(1);
    expect(root.parent.counters()["rid_conflict"]).toBeUndefined();
    await until(
      "root has the receipt",
      () => root.journal.read.servedAsk(requestId)?.receipt === "applied",
    );
  });

  it("delivers the answer that was given while it was away", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const first = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    const { requestId } = ask.details;
    await first.kill();
    root.terminal.deny(requestId, "not today");
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const outcome = await deciding;
    expect(outcome).toMatchObject({ outcome: "denied", requests: [{ requestId }] });
    expect(outcome.text).toContain("not today");
    expect(root.terminal.put).toHaveLength(1);
  });

  it("takes back above what its child took back while it was away", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const first = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const abort = new AbortController();
    const deciding = decideCommand(child, "make all", { signal: abort.signal });
    const { signal } = await shownAt(root);
    await first.kill();
    abort.abort();
    expect(await deciding).toMatchObject({ outcome: "lost", lost: "cancelled" });
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    await until("the prompt is taken back", () => signal.aborted);
  });

  it("leaves what is open to the next process when its connection is closed for good", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const first = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    const { requestId } = ask.details;
    await first.port.close();
    expect(await first.parent.stopped).toContain("closed");
    expect(first.journal.read.servedAsk(requestId)?.end).toBeNull();
    expect(first.journal.read.childAsk(requestId)?.end).toBeNull();
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    root.terminal.allow(requestId);
    expect(await deciding).toMatchObject({ outcome: "allowed" });
    expect(root.terminal.put).toHaveLength(1);
  });

  it("takes an ask from one parent before it puts it to another", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const other = await tree.serve("other", { rules: OPEN });
    const first = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const left = await shownAt(root);
    await first.kill();
    await tree.serve("mid", { rules: OPEN, parent: "other" });
    const { ask } = await shownAt(other);
    await until("the prompt is taken back", () => left.signal.aborted);
    expect(ask.details.requestId).toBe(left.ask.details.requestId);
    other.terminal.allow(ask.details.requestId);
    expect(await deciding).toMatchObject({ outcome: "allowed" });
  });

  it("is decided by its own rules when they have changed meanwhile, and takes the ask back above", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const first = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { signal } = await shownAt(root);
    await first.kill();
    await tree.serve("mid", { rules: MAKES, parent: "root" });
    expect(await deciding).toMatchObject({ outcome: "allowed" });
    await until("the prompt is taken back", () => signal.aborted);
  });
});

describe("a session above that is killed while an ask waits there", () => {
  it("is told to the child within seconds, and that it is back as well", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    await shownAt(root);
    const holder = (): unknown => child.pending()[0]?.heldBy;
    await until("the child knows who holds it", () => holder() !== null);
    await root.kill();
    await until("the child is told", () => (holder() as { kind?: string }).kind === "gone", 6_000);
    expect(holder()).toEqual({ kind: "gone", sessionId: "root" });
    const again = await tree.serve("root", { rules: OPEN });
    const { ask } = await shownAt(again);
    await until("the child is told again", () => (holder() as { kind?: string }).kind === "human");
    again.terminal.allow(ask.details.requestId);
    expect(await deciding).toMatchObject({ outcome: "allowed" });
  }, 20_000);
});
