import { connect } from "../../src/bus/connect.ts";
import type { BusPort } from "../../src/bus/port.ts";
import { startNats } from "../support/nats-launcher.ts";
import { allServers } from "../support/nats-servers.ts";
import { describeBusPort } from "./bus-port.suite.ts";

const users = (limits: string): string => `
authorization {
  users: [
    { user: free, password: free }
    { user: limited, password: limited ${limits} }
  ]
}`;
const LIMITED = users(', permissions: { publish: "ok.>", subscribe: "ok.>" }');

for (const program of await allServers()) {
  describeBusPort(`nats-server ${program.version.text}`, async () => {
    const server = await startNats({ program, config: LIMITED });
    const open = async (user: string): Promise<BusPort> => {
      const bus = await connect({ servers: server.url, user, pass: user, pingIntervalMs: 500 });
      return bus.port;
    };
    return {
      open: async () => open("free"),
      openLimited: async () => open("limited"),
      cut: async () => {
        await server.kill();
      },
      restore: async () => {
        await server.start();
      },
      liftLimits: async () => {
        server.configure(users(""));
      },
      lameDuck: async () => {
        server.lameDuck();
      },
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
      },
    };
  });
}
