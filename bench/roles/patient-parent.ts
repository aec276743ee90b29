import { homedir } from "node:os";
import type { Terminal } from "../../src/ask/ports.ts";
import { connect } from "../../src/bus/connect.ts";
import { keepYoungHeapSmall } from "../../src/cli/young-heap.ts";
import { openParent } from "../../src/parent/parent.ts";
import { serveRole } from "../frame/serve-role.ts";
import { PARENT, RULES } from "../frame/the-ask.ts";

/** A parent whose rules decide some asks, and whose person never answers the others; its heap as `serve` has it. */
keepYoungHeapSmall();
await serveRole(async ({ url, data }: { url: string; data: string }) => {
  let pending = 0;
  const terminal: Terminal = {
    decide: async (ask) => {
      pending += 1;
      ask.presented();
      return new Promise(() => undefined);
    },
    waiting: () => pending,
  };
  const bus = await connect({ servers: url, session: PARENT });
  const home = homedir();
  await openParent({ bus, session: PARENT, data, home, rules: RULES, terminal });
  await bus.port.flush(1000);
  return { look: () => ({ pending, residentMb: process.memoryUsage().rss / 1024 ** 2 }) };
});
