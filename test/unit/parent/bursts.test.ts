import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../src/ask/ports.ts";
import { openArrivals } from "../../../src/parent/arrivals.ts";
import type { Arrival } from "../../../src/parent/serving.ts";
import { command } from "../../support/child-double.ts";
import { setStage } from "../../support/parent-stage.ts";

const anArrival = (id: string): Arrival =>
  ({ received: { ask: { id } }, row: null }) as unknown as Arrival;

describe("asks that come together", () => {
  it("are taken together when the message that brought the last of them is read to its end", async () => {
    const taken: (readonly string[])[] = [];
    const arrivals = openArrivals((all) => taken.push(all.map(({ received }) => received.ask.id)));
    for (const id of ["perm-a", "perm-b"]) arrivals.add(anArrival(id));
    expect(taken).toEqual([]);
    await Promise.resolve();
    expect(taken).toEqual([["perm-a", "perm-b"]]);
    expect(arrivals.has("perm-a")).toBe(false);
  });

  it("are taken at once when something concerns one of them, and not a second time", async () => {
    const taken: number[] = [];
    const arrivals = openArrivals((all) => taken.push(all.length));
    arrivals.add(anArrival("perm-a"));
    arrivals.settle();
    await Promise.resolve();
    expect(taken).toEqual([1]);
  });

  it("are not taken by a parent that has stopped", async () => {
    const taken: number[] = [];
    const arrivals = openArrivals((all) => taken.push(all.length));
    arrivals.add(anArrival("perm-a"));
    arrivals.close();
    arrivals.add(anArrival("perm-b"));
    await Promise.resolve();
    expect(taken).toEqual([]);
  });
});

describe("a parent", () => {
  it("accepts and presents each of many asks that come together, in their order", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const ids = Array.from({ length: 20 }, () => child.ask().ask.id);
    await stage.flush();
    expect(process.terminal.put.map(({ ask }) => ask.details.requestId)).toEqual(ids);
    for (const id of ids) {
      expect(child.about(id, "accepted")).toHaveLength(1);
      expect(stage.story(process, id)).toEqual([
        "forwarded_permission.accepted",
        "forwarded_permission.prompted",
        "ui_prompt",
      ]);
    }
  });

  it("never shows an ask on whose heels its cancel came, or takes it back", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    child.cancel(ask.id);
    await stage.flush();
    expect(process.parent.openAsks()).toEqual([]);
    expect(child.about(ask.id, "withdrawn").length).toBeGreaterThan(0);
    expect(process.terminal.put.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it("prompts once for an ask that is repeated with its first message", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    child.repeat(ask.id);
    await stage.flush();
    expect(process.terminal.put).toHaveLength(1);
    expect(stage.story(process, ask.id)).toHaveLength(3);
  });

  it("has a prompt on disk as soon as its terminal may show it", async () => {
    await using stage = setStage();
    const seen: unknown[] = [];
    const terminal: Terminal = {
      decide: async (ask) => {
        ask.presented();
        seen.push(process.journal.read.servedAsk(ask.details.requestId));
        return new Promise(() => undefined);
      },
      waiting: () => 0,
    };
    const process = await stage.start({ terminal });
    const child = stage.child();
    for (let k = 0; k < 3; k += 1) child.ask();
    await stage.flush();
    expect(seen).toMatchObject([{ presented: 1 }, { presented: 1 }, { presented: 1 }]);
  });

  it("writes a prompt before the answer of a terminal that answers while it shows", async () => {
    await using stage = setStage();
    const decidedBy = { kind: "user", via: "dialog" } as const;
    const terminal: Terminal = {
      decide: async (ask) => {
        ask.presented();
        return {
          kind: "ruled",
          ruling: { approved: true, state: "approved", decidedBy },
          scope: "once",
        };
      },
      waiting: () => 0,
    };
    const process = await stage.start({ terminal });
    const child = stage.child();
    const ids = ["make a", "make b"].map((value) => child.ask(command(value)).ask.id);
    await stage.flush();
    for (const id of ids) {
      expect(stage.story(process, id).map((entry) => entry.split(" ")[0])).toEqual([
        "forwarded_permission.accepted",
        "forwarded_permission.prompted",
        "ui_prompt",
        "forwarded_permission.approved",
        "decision",
      ]);
    }
  });
});
