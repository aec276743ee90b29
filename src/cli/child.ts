import { hostname } from "node:os";
import type { Bus } from "../bus/bus.ts";
import type { Child } from "../child/child.ts";
import type { GateOptions } from "../child/gate-context.ts";
import { openChild } from "../child/open-child.ts";
import { toPolicySources } from "../config/compile-config.ts";
import type { Options } from "../config/options.ts";
import { runChildLoop } from "./child-loop.ts";
import { CommandError, EXIT } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import { followConfig } from "./follow-config.ts";
import { type Io, isStoppedInOrder, printLine } from "./io.ts";
import { readLines } from "./json-lines.ts";
import { connectBus, issuedTo, type Prepared, prepare } from "./prepare.ts";
import { findParent, readSession } from "./session-name.ts";
import { leftoversOf } from "./ship-leftovers.ts";
import { shipRecords } from "./ship-records.ts";
import { tellWaiting } from "./tell-waiting.ts";

/** Flags of `child`. */
export interface ChildFlags extends CommonFlags {
  readonly session?: string;
  /** In the order in which they are asked. */
  readonly parent?: readonly string[];
  readonly agent?: string;
}

/** Longest line a call may take, in bytes. */
const MAX_CALL_BYTES = 8 * 1024 * 1024;

/** Decides the calls of standard input until it ends or the program is stopped. */
export async function runChild(flags: ChildFlags, io: Io): Promise<number> {
  const session = readSession(flags.session, io, () => issuedTo(flags, io));
  const prepared = await prepare(flags, io, "info");
  await using bus = await connectBus(flags, io, { ...prepared, session });
  const { data, log } = prepared;
  await using shipping = shipRecords({ bus, data, session, clock: io.clock, log });
  await using child = await openSessionChild({ flags, io, prepared, bus, session });
  await shipping.begin();
  using _leftovers = leftoversOf(flags, io, { ...prepared, bus, session });
  using _follow = followConfig(prepared, child);
  using _waiting = tellWaiting(child, log);
  const lost = bus.port.closed.then((error) => {
    throw new CommandError(
      `the connection to NATS is closed for good (${error?.message ?? "no reason given"}); start this program again`,
    );
  });
  const done = runChildLoop({
    lines: readLines(io.stdin, MAX_CALL_BYTES),
    print: (line) => printLine(io, line),
    decide: async (call, options) => child.decide(call, options),
    cwd: io.cwd,
    signal: io.stop,
  });
  await Promise.race([done, lost]);
  await prepared.log.flush();
  if (!io.stop.aborted || isStoppedInOrder(io)) return EXIT.ok;
  throw new CommandError(
    "nobody reads standard output; what was open is taken back, start child again with a reader",
  );
}

/** What the gates of a command's child know of this machine. */
export function gateOptions(options: Options, { home }: Pick<Io, "home">): GateOptions {
  return {
    home,
    shellTools: options.shellTools,
    toolPaths: options.toolPaths,
    infrastructureReadPaths: options.piInfrastructureReadPaths,
  };
}

/** What a child of a command is opened with. */
export interface SessionChild {
  readonly flags: Pick<ChildFlags, "parent" | "agent">;
  readonly io: Io;
  readonly prepared: Prepared;
  readonly bus: Bus;
  readonly session: string;
  /** See {@link ChildOptions.sessionGoesOn}. */
  readonly sessionGoesOn?: boolean;
}

/** Opens the child of a session as flags, environment and configuration say. */
export async function openSessionChild(given: SessionChild): Promise<Child> {
  const { flags, io, prepared, bus, session } = given;
  const { options } = prepared.config;
  const found = findParent({ flag: flags.parent, configured: options.parents, session }, io);
  if (found.ownMarkIgnored) {
    prepared.log.warn({ session }, "ASKFABRIC_PARENT names this very session and is ignored");
  }
  const agentName = flags.agent || io.env["ASKFABRIC_AGENT"];
  return openChild({
    bus,
    session,
    parent: found.parent,
    otherParents: found.others,
    data: prepared.data,
    rules: toPolicySources(prepared.config),
    ...gateOptions(options, io),
    host: hostname(),
    forwardingTimeoutMs: options.forwardingTimeoutMs,
    unservedGraceMs: options.unservedGraceMs,
    reviewLogFieldMaxWidth: options.reviewLogFieldMaxWidth,
    clock: io.clock,
    log: prepared.log,
    ...(agentName ? { agentName } : {}),
    ...(given.sessionGoesOn === true ? { sessionGoesOn: true } : {}),
  });
}
