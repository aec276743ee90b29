import type { Outcome } from "../ask/outcome.ts";
import type { Bus } from "../bus/bus.ts";
import { prepareShell } from "../gates/shell-call.ts";
import { openSessionChild } from "./child.ts";
import type { CommonFlags } from "./flags.ts";
import { type CallFlags, readGiven } from "./given-call.ts";
import { type Io, printLine } from "./io.ts";
import { noteConfig } from "./note-config.ts";
import { exitCodeOf, outcomeLine } from "./outcome-line.ts";
import { busOptions, findServer, issuedTo, prepare, type Speaking } from "./prepare.ts";
import { readSession } from "./session-name.ts";
import { shipRecords } from "./ship-records.ts";
import { tellWaiting } from "./tell-waiting.ts";

/** Flags of `ask`. */
export interface AskFlags extends CommonFlags, CallFlags {
  readonly session?: string;
  /** In the order in which they are asked. */
  readonly parent?: readonly string[];
  readonly agent?: string;
  readonly timeoutMs?: number;
}

/** Longest wait for the server, in milliseconds. */
const START_MS = 3_000;

/** Decides one tool call, prints its outcome and returns the exit code that tells it. */
export async function runAsk(flags: AskFlags, io: Io): Promise<number> {
  const given = await readGiven(flags, io);
  const session = readSession(flags.session || given.session, io, () => issuedTo(flags, io));
  const prepared = await prepare(flags, io, "warn");
  // Loads while the server is reached; what fails here is met again when the call is judged.
  void prepareShell(given.call, prepared.config.options);
  const agent = flags.agent ?? given.agent;
  const timeoutMs = flags.timeoutMs ?? given.timeoutMs;
  await using bus = await connectOrAbsent(flags, io, { ...prepared, session });
  const childFlags = {
    ...(flags.parent ? { parent: flags.parent } : {}),
    ...(agent ? { agent } : {}),
  };
  const { data, log } = prepared;
  await using shipping = shipRecords({ bus, data, session, clock: io.clock, log });
  // Each call of a session may be a process of its own: none of them ends the session.
  const speaking = { io, prepared, bus, session, sessionGoesOn: true };
  await using child = await openSessionChild({ flags: childFlags, ...speaking });
  noteConfig(child, prepared.config);
  using _waiting = tellWaiting(child, log);
  const outcome: Outcome = await child.decide(given.call, {
    signal: io.stop,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  printLine(io, outcomeLine(outcome));
  if (bus.port.connected()) await shipping.begin();
  await prepared.log.flush();
  return exitCodeOf(outcome);
}

/** Connects; a server that is down is no error of the command line: the outcome says so. */
async function connectOrAbsent(flags: AskFlags, io: Io, speaking: Speaking): Promise<Bus> {
  const options = busOptions(findServer(flags, io, speaking.data), speaking);
  try {
    const { connect } = await import("../bus/connect.ts");
    return await connect({ ...options, startTimeoutMs: START_MS, signal: io.stop });
  } catch (error) {
    const { BusError } = await import("../bus/bus-error.ts");
    const down = error instanceof BusError && error.code === "bus_start_timeout";
    if (!down && !io.stop.aborted) throw error;
    if (down) speaking.log.warn({}, error.message);
    const { absentBus } = await import("./absent-bus.ts");
    return absentBus();
  }
}
