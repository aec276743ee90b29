import { homedir } from "node:os";
import { connect } from "../../src/bus/connect.ts";
import { openChild } from "../../src/child/open-child.ts";
import { keepsNothing } from "../frame/keeps-nothing.ts";
import { type Load, putLoad } from "../frame/load.ts";
import { serveRole } from "../frame/serve-role.ts";
import { CHILD, callOf, PARENT } from "../frame/the-ask.ts";

interface Options {
  readonly url: string;
  /** Null: without records. */
  readonly data: string | null;
  readonly session?: string;
  readonly parent?: string;
  /** Keys one of which must have signed what it is told; absent: none must. */
  readonly requireSigners?: readonly string[];
}

/** A child whose own rules leave the call open. */
await serveRole(async (options: Options) => {
  const { url, data, session = CHILD, parent = PARENT, requireSigners = [] } = options;
  const bus = await connect({ servers: url, session, requireSigners });
  const child = await openChild({
    bus,
    session,
    parent,
    data: data ?? "",
    home: homedir(),
    rules: {},
    ...(data === null ? { journal: keepsNothing(session) } : {}),
  });
  let calls = 0;
  const one = async (): Promise<void> => {
    const outcome = await child.decide(callOf(++calls));
    if (outcome.outcome !== "allowed") throw new Error(`an ask was not allowed: ${outcome.text}`);
  };
  return { put: async (load: Load) => putLoad(load, one) };
});
