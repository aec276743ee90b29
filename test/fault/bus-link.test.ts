import { describe, expect, it } from "vitest";
import { connect } from "../../src/bus/connect.ts";
import type { BusEvent, BusPort } from "../../src/bus/port.ts";
import { startNats } from "../support/nats-launcher.ts";
import { kinds, listen, ofKind } from "../support/port-harness.ts";
import { changingSecret } from "../support/secrets.ts";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const PING_MS = 200;

interface Wired extends AsyncDisposable {
  readonly wire: TcpProxy;
  readonly port: BusPort;
  readonly events: readonly BusEvent[];
}

async function wired(dialTimeoutMs = 500): Promise<Wired> {
  const server = await startNats();
  const wire = await startProxy(server.port);
  const bus = await connect({ servers: wire.url, pingIntervalMs: PING_MS, dialTimeoutMs });
  return {
    wire,
    port: bus.port,
    events: listen(bus.port),
    [Symbol.asyncDispose]: async () => {
      await bus[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("a connection that stands", () => {
  it("notices a link that went silent and comes back when it speaks again", async () => {
    await using link = await wired();
    link.wire.stall();
    expect(link.port.publish("a", new Uint8Array(10))).toBe("sent");
    await until("the notice", () => !link.port.connected());
    expect(link.port.publish("a", new Uint8Array(10))).toBe("disconnected");
    link.wire.resume();
    await until("the link", () => link.port.connected());
    expect(await link.port.flush(5_000)).toBe(true);
  });

  it("notices a silent link even when the bytes of it are stuck in this machine", async () => {
    await using link = await wired();
    link.wire.stall();
    const chunk = new Uint8Array(500_000);
    for (let sent = 0; sent < 60; sent += 1) expect(link.port.publish("a", chunk)).toBe("sent");
    await until("the notice", () => !link.port.connected());
    link.wire.resume();
    await until("the link", () => link.port.connected());
    expect(await link.port.flush(5_000)).toBe(true);
  });

  it("tells of each loss and each return once, however many attempts lie between", async () => {
    await using link = await wired();
    link.wire.refuse();
    await until("the notice", () => !link.port.connected());
    const attempts = link.wire.refused();
    await until("several attempts", () => link.wire.refused() > attempts + 3);
    link.wire.accept();
    await until("the link", () => link.port.connected());
    link.wire.cut();
    await until("the second return", () => ofKind(link.events, "reconnected").length === 2);
    const told = kinds(link.events).filter((kind) => kind.endsWith("connected"));
    expect(told).toEqual([
      "connected",
      "disconnected",
      "reconnected",
      "disconnected",
      "reconnected",
    ]);
  });

  it("goes on trying when its credentials are refused, tells each refusal, and is taken again", async () => {
    const config = (token: string): string => `authorization { token: ${token} }`;
    await using server = await startNats({ config: config("first") });
    let token = "first";
    await using bus = await connect({ servers: server.url, token: () => token });
    const events = listen(bus.port);
    await server.kill();
    server.configure(config("second"));
    await server.start();
    await until("several refusals", () => ofKind(events, "auth_refused").length >= 3, 15_000);
    expect(bus.port.connected()).toBe(false);
    token = "second";
    await until("the link", () => bus.port.connected(), 15_000);
    expect(kinds(events).filter((kind) => kind.endsWith("connected"))).toEqual([
      "connected",
      "disconnected",
      "reconnected",
    ]);
  });

  it("outlives a secret that cannot be read for a while", async () => {
    await using server = await startNats({ config: "authorization { token: t }" });
    const token = changingSecret(["t", "t", null, null, "t"]);
    await using bus = await connect({ servers: server.url, token });
    const events = listen(bus.port);
    await server.kill();
    await server.start();
    await until("the link", () => bus.port.connected(), 15_000);
    expect(ofKind(events, "auth_refused").length).toBe(2);
    expect(kinds(events)).not.toContain("closed");
  });

  it("closes within its limit when the link is silent", async () => {
    await using link = await wired();
    link.wire.stall();
    link.port.publish("a", new Uint8Array(10));
    await link.port.close(100);
    expect(await link.port.closed).toBeNull();
    link.wire.resume();
    await until("the end of the socket", () => link.wire.open() === 0);
  });

  it("lets go of the socket when it closes while it is dialling a silent server", async () => {
    await using link = await wired(60_000);
    link.wire.mute();
    await until("the notice", () => !link.port.connected());
    await until("the new call", () => link.wire.open() === 1);
    await link.port.close();
    expect(await link.port.closed).toBeNull();
    await until("the end of the socket", () => link.wire.open() === 0);
  });

  it("flush says false within its limit when the link is silent", async () => {
    await using link = await wired();
    link.wire.stall();
    expect(await link.port.flush(50)).toBe(false);
    link.wire.resume();
  });

  it("tells what else the server complains of", async () => {
    await using server = await startNats();
    await using wire = await startProxy(server.port);
    await using bus = await connect({ servers: wire.url });
    const events = listen(bus.port);
    // Kept away until another connection has the only place.
    wire.refuse();
    await server.kill();
    server.configure("max_connections: 1");
    await server.start();
    await using first = await connect({ servers: server.url, startTimeoutMs: 20_000 }).catch(
      () => null,
    );
    wire.accept();
    const complaint = await until("a complaint", () => ofKind(events, "server_error")[0], 15_000);
    expect(complaint).toMatchObject({
      text: expect.stringMatching(/maximum connections/i) as string,
    });
    expect(first).not.toBeNull();
  });

  it("shows another server that answers in the place of its own", async () => {
    await using own = await startNats();
    await using bus = await connect({ servers: own.url });
    expect(bus.port.serverName).toBe(own.name);
    await own.kill();
    await using stray = await startNats({ port: own.port, config: "max_payload: 1000" });
    await until("the link", () => bus.port.serverName === stray.name);
    expect(bus.port.maxPayloadBytes).toBe(1_000);
    expect(bus.port.publish("a", new Uint8Array(1_001))).toBe("too_large");
  });
});
