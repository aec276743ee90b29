import { describe, expect, it } from "vitest";
import { openOperatorLine } from "../../../src/bus/operator-line.ts";
import { openAsksOf } from "../../../src/cli/operator/pending-list.ts";
import { createMemoryBroker, memoryBus } from "../../support/memory-bus.ts";

/** A session whose every answer promises more. */
function endlessSession() {
  const broker = createMemoryBroker();
  const port = broker.connect();
  const line = openOperatorLine({ bus: memoryBus(broker), operator: "ann" });
  port.subscribe("af.v1.test.ctl.boss.ann.*", ({ subject, data }) => {
    const wants = JSON.parse(Buffer.from(data).toString("utf8")) as Wants;
    const { id, from = 0, after = 0 } = wants;
    const where = { state: "human", heldBy: null, expiresAt: 1 };
    const part = { requestId: "perm-1", digest: "d", size: 2 ** 50, from, text: "x" };
    const answers: Readonly<Record<string, object>> = {
      show: { shown: { ...where, ...part } },
      list: { asks: [], next: after + 1 },
    };
    const op = subject.split(".").at(-1) ?? "";
    const body = JSON.stringify({ v: 1, id, ...answers[op] });
    port.publish(`af.v1.test.inbox.ann.ctl.boss.${id}`, Buffer.from(body));
  });
  return line;
}

interface Wants {
  readonly id: string;
  readonly from?: number;
  readonly after?: number;
}

describe("an operator who asks a session that never comes to an end", () => {
  it("is told so of an ask it is shown", async () => {
    const line = endlessSession();
    expect(await line.show("boss", "perm-1")).toEqual({ op: "silence", why: "endless" });
    line.close();
  });

  it("is told so of a list", async () => {
    const line = endlessSession();
    expect(await openAsksOf(line, "boss")).toEqual({ op: "silence", why: "endless" });
    line.close();
  });
});
