import { describe, expect, it } from "vitest";
import type { Log } from "../../src/ask/ports.ts";
import type { Bus } from "../../src/bus/bus.ts";
import { openOutboxPump } from "../../src/bus/outbox-pump.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { startAuditServer } from "../support/audit-server.ts";
import { aDraft, aFolder, openAt, REAL_CLOCK } from "../support/journal-parts.ts";
import { allServers } from "../support/nats-servers.ts";
import { listen } from "../support/port-harness.ts";
import { until } from "../support/until.ts";

const servers = await allServers();
const clock = REAL_CLOCK;
const silent = (): void => undefined;
const log: Log = { debug: silent, info: silent, warn: silent, error: silent };

function record(journal: Journal, count: number): void {
  journal.write((tx) => {
    for (let k = 0; k < count; k += 1) tx.record(aDraft({ requestId: "perm-1" }), Date.now());
  });
}

function pumpOf(bus: Bus, journal: Journal): ReturnType<typeof openOutboxPump> {
  return openOutboxPump({ bus, outbox: journal, clock, log });
}

describe.each(servers)("the audit stream of nats-server $version.text", (program) => {
  it("takes what a session ships through the accounts, each record once", async () => {
    await using audit = await startAuditServer({ program });
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    record(journal, 300);
    await using bus = await audit.asSession("session-1");
    const first = pumpOf(bus, journal);
    expect(await first.drain(20_000)).toBe(true);
    first.close();
    const again = pumpOf(bus, journal);
    expect(await again.drain(20_000)).toBe(true);
    again.close();
    await using keeper = await audit.asSink();
    expect(await keeper.records.facts()).toMatchObject({ records: 300 });
  });

  it("is told from a server without one, and taken up when it is made", async () => {
    await using audit = await startAuditServer({ program, stream: false });
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    record(journal, 10);
    await using bus = await audit.asSession("session-1");
    const pump = pumpOf(bus, journal);
    await until("the refusal", () => pump.status().state === "waiting");
    expect(pump.status().why).toContain("503");
    expect(await audit.provision()).toBe("made");
    await until("the marks", () => journal.read.outboxState().ackedN === 10, 10_000);
    pump.close();
  });

  it("blocks a pump when it is full, and takes the rest when it was made larger", async () => {
    await using audit = await startAuditServer({ program, stream: false });
    await audit.provision({ maxBytes: 16_384 });
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    record(journal, 40);
    await using bus = await audit.asSession("session-1");
    const pump = pumpOf(bus, journal);
    await until("the block", () => pump.status().state === "blocked", 10_000);
    expect(pump.status().why).toMatch(/maximum bytes exceeded \(10077\)/);
    await using provisioner = await audit.asProvisioner();
    const choice = { prefix: audit.prefix, maxBytes: 1_048_576, replicas: null };
    await provisioner.records.change(choice);
    await until("the marks", () => journal.read.outboxState().ackedN === 40, 15_000);
    pump.close();
  }, 40_000);

  it("has what was shipped while the server was killed and came back", async () => {
    await using audit = await startAuditServer({ program });
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    await using bus = await audit.asSession("session-1");
    const pump = pumpOf(bus, journal);
    record(journal, 500);
    await until("some marks", () => journal.read.outboxState().ackedN > 0);
    await audit.server.kill();
    record(journal, 500);
    await audit.server.start();
    await until("the marks", () => journal.read.outboxState().ackedN === 1_000, 20_000);
    pump.close();
    await using keeper = await audit.asSink();
    expect(await keeper.records.facts()).toMatchObject({ records: 1_000 });
  }, 40_000);

  it("keeps its limit when a smaller one would remove records that it holds", async () => {
    await using audit = await startAuditServer({ program });
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    record(journal, 40);
    await using bus = await audit.asSession("session-1");
    const pump = pumpOf(bus, journal);
    expect(await pump.drain(20_000)).toBe(true);
    pump.close();
    await using provisioner = await audit.asProvisioner();
    const choice = { prefix: audit.prefix, maxBytes: 4_096, replicas: null };
    await expect(provisioner.records.change(choice)).rejects.toMatchObject({
      code: "stream_holds_more",
    });
    expect(await provisioner.records.facts()).toMatchObject({ records: 40 });
  });

  it("is checked and never silently changed", async () => {
    await using audit = await startAuditServer({ program });
    expect(await audit.provision()).toBe("as_needed");
    await expect(audit.provision({ maxBytes: 999_999 })).rejects.toMatchObject({
      code: "stream_differs",
      message: expect.stringMatching(
        /max_bytes is 268435456 and must be 999999\. Nothing was changed\. .*audit provision --change/,
      ) as string,
    });
    await using keeper = await audit.asSink();
    expect(await keeper.records.facts()).toMatchObject({ maxBytes: 268_435_456 });
  });

  it("says that there is no room for it", async () => {
    await using audit = await startAuditServer({ program, stream: false });
    await expect(audit.provision({ maxBytes: Number.MAX_SAFE_INTEGER })).rejects.toMatchObject({
      code: "stream_no_room",
      message: expect.stringContaining("--stream-bytes") as string,
    });
  });

  it("is read by the sink alone and made by the provisioner alone", async () => {
    await using audit = await startAuditServer({ program });
    await using sink = await audit.asSink();
    const choice = { prefix: audit.prefix, maxBytes: 1_048_576, replicas: null };
    await expect(sink.records.change(choice)).rejects.toMatchObject({ code: "stream_denied" });
    await using provisioner = await audit.asProvisioner();
    await expect(provisioner.records.read({ reader: "store_1" })).rejects.toMatchObject({
      code: "stream_denied",
    });
    await using session = await audit.asSession("session-1");
    const events = listen(session.port);
    session.port.publish("$JS.API.CONSUMER.LIST.AUDIT", new Uint8Array());
    await until("the refusal", () => events.some(({ kind }) => kind === "publish_refused"));
  });

  it("hands nothing but acknowledgements into the fleet's account, and no ask out of it", async () => {
    await using audit = await startAuditServer({ program });
    await using session = await audit.asSession("session-1");
    await using sink = await audit.asSink();
    const events = listen(sink.port);
    sink.port.publish(`${audit.prefix}.dec.lead.worker.perm-1`, new Uint8Array());
    await until("the refusal", () => events.some(({ kind }) => kind === "publish_refused"));
    const unheard: boolean[] = [];
    session.port.subscribe(`${audit.prefix}.dec.*.session-1.*`, ({ noResponders }) => {
      unheard.push(noResponders);
    });
    session.port.publish(`${audit.prefix}.ask.lead.session-1`, new Uint8Array(), {
      reply: `${audit.prefix}.dec.lead.session-1.perm-1`,
    });
    await until("the 503", () => unheard.length > 0);
    expect(unheard).toEqual([true]);
  });
});
