import { homedir } from "node:os";
import { connect } from "../../src/bus/connect.ts";
import { denyTerminal } from "../../src/parent/deny-terminal.ts";
import { openParent } from "../../src/parent/parent.ts";
import { keepsNothing } from "../frame/keeps-nothing.ts";
import { serveRole } from "../frame/serve-role.ts";
import { PARENT, RULES } from "../frame/the-ask.ts";

/** A parent whose rules decide. `data: null`: without records. */
await serveRole(async ({ url, data }: { url: string; data: string | null }) => {
  const bus = await connect({ servers: url, session: PARENT });
  const parent = await openParent({
    bus,
    session: PARENT,
    data: data ?? "",
    home: homedir(),
    rules: RULES,
    terminal: denyTerminal(),
    ...(data === null ? { journal: keepsNothing(PARENT) } : {}),
  });
  await bus.port.flush(1000);
  return { counters: () => parent.counters() };
});
