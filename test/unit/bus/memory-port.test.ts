import { describeBusPort } from "../../conformance/bus-port.suite.ts";
import { createMemoryBroker } from "../../support/memory-bus.ts";
import type { MemoryPort } from "../../support/memory-port.ts";

describeBusPort("the broker in memory", async () => {
  const broker = createMemoryBroker();
  const limited: MemoryPort[] = [];
  return {
    open: async () => broker.connect(),
    openLimited: async () => {
      const port = broker.connect({ permissions: { publish: ["ok.>"], subscribe: ["ok.>"] } });
      limited.push(port);
      return port;
    },
    liftLimits: async () => {
      for (const port of limited) port.permit({});
    },
    cut: async () => {
      broker.stop();
    },
    restore: async () => {
      broker.start();
    },
    lameDuck: async () => {
      broker.lameDuck();
    },
    [Symbol.asyncDispose]: async () => {
      broker.stop();
    },
  };
});
