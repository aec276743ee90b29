import { homedir } from "node:os";
import { connect } from "../../src/bus/connect.ts";
import { openChild } from "../../src/child/open-child.ts";
import { keepsNothing } from "../frame/keeps-nothing.ts";
import { type Load, putLoad } from "../frame/load.ts";
import { serveRole } from "../frame/serve-role.ts";
import { CHILD, callOf, PARENT } from "../frame/the-ask.ts";

/** A child whose own rules leave the call open. `data: null`: without records. */
await serveRole(async ({ url, data }: { url: string; data: string | null }) => {
  const bus = await connect({ servers: url, session: CHILD });
  const child = await openChild({
    bus,
    session: CHILD,
    parent: PARENT,
    data: data ?? "",
    home: homedir(),
    rules: {},
    ...(data === null ? { journal: keepsNothing(CHILD) } : {}),
  });
  let calls = 0;
  const one = async (): Promise<void> => {
    const outcome = await child.decide(callOf(++calls));
    if (outcome.outcome !== "allowed") throw new Error(`an ask was not allowed: ${outcome.text}`);
  };
  return { put: async (load: Load) => putLoad(load, one) };
});
