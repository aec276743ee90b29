import { createServer, type Server } from "node:net";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/bus/connect.ts";
import { freePort } from "../../src/cli/server/ports.ts";
import { startNats } from "../support/nats-launcher.ts";
import { startProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const TOKEN = "the-one-token";
const WITH_TOKEN = `authorization { token: "${TOKEN}" }`;
const WITH_ACCOUNTS = `accounts { FLEET { users: [ { user: askfabric, password: "${TOKEN}" } ] } }`;

async function greetWith(text: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => null);
    socket.write(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
};

describe("a connection that starts", () => {
  it.each([
    ["a server with a token", WITH_TOKEN],
    ["a server with accounts", WITH_ACCOUNTS],
    ["an open server", ""],
  ])("is taken with the same token by %s", async (_name, config) => {
    await using server = await startNats({ config });
    await using bus = await connect({ servers: server.url, token: TOKEN, fleet: "f" });
    expect(bus.prefix).toBe("af.v1.f");
    expect(bus.port.serverName).toBe(server.name);
    expect(bus.port.serverVersion).toBe(server.version);
    expect(bus.port.maxPayloadBytes).toBe(524_288);
    expect(await bus.port.flush(5_000)).toBe(true);
  });

  it.each([
    ["a wrong token", { token: "wrong-secret" }, /refused the token/],
    ["a wrong password", { user: "me", pass: "wrong-secret" }, /refused the user and password/],
    ["no credentials", {}, /refused this connection, which shows no credentials/],
  ])("fails with %s, naming the server and not the secret", async (_name, credentials, text) => {
    await using server = await startNats({ config: WITH_TOKEN });
    const start = connect({ servers: server.url, ...credentials });
    await expect(start).rejects.toMatchObject({
      code: "bus_auth_refused",
      message: expect.stringMatching(text) as string,
    });
    await expect(start).rejects.toThrow(server.url);
    await expect(start).rejects.not.toThrow(/wrong-secret/);
  });

  it("fails within its limit when nobody listens, naming the place and the way out", async () => {
    const port = await freePort();
    const url = `nats://127.0.0.1:${String(port)}`;
    await expect(connect({ servers: url, startTimeoutMs: 300 })).rejects.toMatchObject({
      code: "bus_start_timeout",
      message: expect.stringMatching(`${url} within 300 ms .*askfabric up`) as string,
    });
  });

  it("fails within its limit at a server that takes the call and says nothing, and lets go of it", async () => {
    await using server = await startNats();
    await using wire = await startProxy(server.port);
    wire.mute();
    const start = connect({ servers: wire.url, startTimeoutMs: 300, dialTimeoutMs: 60_000 });
    await until("the call", () => wire.open() === 1);
    await expect(start).rejects.toMatchObject({ code: "bus_start_timeout" });
    await until("the end of the call", () => wire.open() === 0);
  });

  it("fails at a program that is no NATS server, naming what is wrong", async () => {
    await using other = await greetWith("HTTP/1.1 400 Bad Request\r\n\r\n");
    const servers = `127.0.0.1:${String(portOf(other))}`;
    await expect(connect({ servers, startTimeoutMs: 300 })).rejects.toThrow(/unexpected response/);
  });

  it("waits for a server that comes up within its limit", async () => {
    const port = await freePort();
    const start = connect({ servers: `127.0.0.1:${String(port)}`, startTimeoutMs: 20_000 });
    await using server = await startNats({ port });
    await using bus = await start;
    expect(bus.port.serverName).toBe(server.name);
  });

  it("tries every server that is named", async () => {
    const nobody = `127.0.0.1:${String(await freePort())}`;
    await using server = await startNats();
    await using bus = await connect({ servers: [nobody, server.url] });
    expect(bus.port.serverName).toBe(server.name);
  });

  it("ends when its signal is aborted, with the signal's reason", async () => {
    const port = await freePort();
    const stop = new AbortController();
    const start = connect({ servers: `127.0.0.1:${String(port)}`, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(start).rejects.toThrow("enough");
  });

  it("demands TLS of a server that was named with it", async () => {
    await using server = await startNats();
    const servers = `tls://127.0.0.1:${String(server.port)}`;
    await expect(connect({ servers, startTimeoutMs: 300 })).rejects.toThrow(
      /does not support 'tls'/,
    );
  });
});
