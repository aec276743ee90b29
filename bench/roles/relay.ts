import { homedir } from "node:os";
import { SILENT_LOG, SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import { connect } from "../../src/bus/connect.ts";
import { openUpstream } from "../../src/child/open-upstream.ts";
import { denyTerminal } from "../../src/parent/deny-terminal.ts";
import { openParent } from "../../src/parent/parent.ts";
import { serveRole } from "../frame/serve-role.ts";
import { PARENT, RELAY } from "../frame/the-ask.ts";

/** A session without rules of its own: it leaves every ask to its parent. */
await serveRole(async ({ url, data }: { url: string; data: string }) => {
  const bus = await connect({ servers: url, session: RELAY });
  const given = { bus, session: RELAY, parent: PARENT, clock: SYSTEM_CLOCK, log: SILENT_LOG };
  const parent = await openParent({
    bus,
    session: RELAY,
    data,
    home: homedir(),
    rules: {},
    terminal: denyTerminal(),
    upstream: async (journal) => Promise.resolve(openUpstream({ ...given, journal })),
  });
  await bus.port.flush(1000);
  return { counters: () => parent.counters() };
});
