import { resolve } from "node:path";
import type { Outcome } from "../ask/outcome.ts";
import type { Bus } from "../bus/bus.ts";
import {
  isPermissionRequest,
  readPermissionRequest,
} from "../clients/claude-code/permission-request.ts";
import { type ReadCall, readCall } from "./call-line.ts";
import { openSessionChild } from "./child.ts";
import { CommandError } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import { type Io, printLine } from "./io.ts";
import { type JsonObject, parseJsonObject } from "./json-value.ts";
import { noteConfig } from "./note-config.ts";
import { exitCodeOf, outcomeLine } from "./outcome-line.ts";
import { busOptions, findServer, prepare, type Speaking } from "./prepare.ts";
import { readSession } from "./session-name.ts";
import { shipRecords } from "./ship-records.ts";

/** Flags of `ask`. */
export interface AskFlags extends CommonFlags {
  readonly session?: string;
  readonly parent?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly stdin?: boolean;
  readonly cwd?: string;
  readonly agent?: string;
  readonly timeoutMs?: number;
}

/** A call with what its source says about who makes it. */
interface GivenCall extends ReadCall {
  readonly session?: string;
  readonly agent?: string;
}

/** Longest wait for the server, in milliseconds. */
const START_MS = 3_000;

/** Largest call on standard input, in bytes. */
const MAX_CALL_BYTES = 8 * 1024 * 1024;

/** Decides one tool call, prints its outcome and returns the exit code that tells it. */
export async function runAsk(flags: AskFlags, io: Io): Promise<number> {
  const given = await readGiven(flags, io);
  const session = readSession(flags.session || given.session, io);
  const prepared = await prepare(flags, io, "warn");
  const agent = flags.agent ?? given.agent;
  const timeoutMs = flags.timeoutMs ?? given.timeoutMs;
  await using bus = await connectOrAbsent(flags, io, { ...prepared, session });
  const childFlags = {
    ...(flags.parent ? { parent: flags.parent } : {}),
    ...(agent ? { agent } : {}),
  };
  const { data, log } = prepared;
  await using shipping = shipRecords({ bus, data, session, clock: io.clock, log });
  await using child = await openSessionChild({ flags: childFlags, io, prepared, bus, session });
  noteConfig(child, prepared.config);
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

async function readGiven(flags: AskFlags, io: Io): Promise<GivenCall> {
  if (flags.stdin === true) {
    const own = [flags.tool && "--tool", flags.input && "--input"].filter(Boolean).join(" and ");
    if (own)
      throw new CommandError(`${own} and --stdin exclude each other; give the call in one way`);
    return readStdin(flags, io);
  }
  if (!flags.tool || flags.input === undefined) {
    throw new CommandError(
      'no call is given; name it with --tool and --input, as in --tool bash --input \'{"command":"ls"}\', or use --stdin',
    );
  }
  const input = jsonObject(flags.input, "--input");
  return usable(readCall({ toolName: flags.tool, input }, cwdOf(flags, io)), "--input");
}

async function readStdin(flags: AskFlags, io: Io): Promise<GivenCall> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of io.stdin) {
    size += part.length;
    if (size > MAX_CALL_BYTES) {
      throw new CommandError(
        `standard input is larger than ${MAX_CALL_BYTES} bytes; send one call`,
      );
    }
    parts.push(part);
  }
  const value = jsonObject(Buffer.concat(parts).toString("utf8"), "standard input");
  if (!isPermissionRequest(value))
    return usable(readCall(value, cwdOf(flags, io)), "standard input");
  const hook = readPermissionRequest(value);
  if ("code" in hook) throw new CommandError(`standard input: ${hook.text}`);
  const { call, sessionId, agentName } = hook;
  return { call, session: sessionId, ...(agentName === null ? {} : { agent: agentName }) };
}

function jsonObject(text: string, place: string): JsonObject {
  const parsed = parseJsonObject(text);
  if ("code" in parsed) throw new CommandError(`${place}: ${parsed.text}`);
  return parsed.value;
}

function usable(call: ReturnType<typeof readCall>, place: string): ReadCall {
  if ("code" in call) throw new CommandError(`${place}: ${call.text}`);
  return call;
}

function cwdOf(flags: AskFlags, io: Io): string {
  return flags.cwd ? resolve(io.cwd, flags.cwd) : io.cwd;
}
