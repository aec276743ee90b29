import { homedir } from "node:os";
import { connect } from "../../src/bus/connect.ts";
import { denyTerminal } from "../../src/parent/deny-terminal.ts";
import { openParent } from "../../src/parent/parent.ts";
import { keepsNothing } from "../frame/keeps-nothing.ts";
import { serveRole } from "../frame/serve-role.ts";
import { PARENT, RULES } from "../frame/the-ask.ts";

interface Options {
  readonly url: string;
  /** Null: without records. */
  readonly data: string | null;
  readonly session?: string;
  /** Seed of the key that signs its decisions; absent: it signs none. */
  readonly signsWith?: string;
}

/** A parent whose rules decide. */
await serveRole(async ({ url, data, session = PARENT, signsWith }: Options) => {
  const signing = signsWith === undefined ? {} : { creds: signsWith, signDecisions: true };
  const bus = await connect({ servers: url, session, ...signing });
  const parent = await openParent({
    bus,
    session,
    data: data ?? "",
    home: homedir(),
    rules: RULES,
    terminal: denyTerminal(),
    ...(data === null ? { journal: keepsNothing(session) } : {}),
  });
  await bus.port.flush(1000);
  return { counters: () => parent.counters() };
});
