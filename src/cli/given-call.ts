import { resolve } from "node:path";
import {
  isPermissionRequest,
  readPermissionRequest,
} from "../clients/claude-code/permission-request.ts";
import { type ReadCall, readCall } from "./call-line.ts";
import { CommandError } from "./failure.ts";
import type { Io } from "./io.ts";
import { type JsonObject, parseJsonObject } from "./json-value.ts";

/** Flags that give one call. */
export interface CallFlags {
  readonly tool?: string;
  readonly input?: string;
  readonly stdin?: boolean;
  readonly cwd?: string;
}

/** A call with what its source says about who makes it. */
export interface GivenCall extends ReadCall {
  readonly session?: string;
  readonly agent?: string;
}

/** Largest call on standard input, in bytes. */
const MAX_CALL_BYTES = 8 * 1024 * 1024;

/**
 * Reads the call that flags or standard input give.
 *
 * @throws {@link CommandError} when there is none, or it is of no use.
 */
export async function readGiven(flags: CallFlags, io: Io): Promise<GivenCall> {
  if (flags.stdin === true) {
    const own = [flags.tool && "--tool", flags.input && "--input"].filter(Boolean).join(" and ");
    if (own)
      throw new CommandError(`${own} and --stdin exclude each other; give the call in one way`);
    return readStdin(flags, io);
  }
  if (!flags.tool || flags.input === undefined) {
    const missing = flags.tool ? "--input" : flags.input === undefined ? null : "--tool";
    const what = missing === null ? "no call is given" : `the call has no ${missing}`;
    throw new CommandError(
      `${what}; name it with --tool and --input, as in --tool bash --input '{"command":"ls"}', or use --stdin`,
    );
  }
  const input = jsonObject(flags.input, "--input");
  return usable(readCall({ toolName: flags.tool, input }, cwdOf(flags, io)), "--input");
}

async function readStdin(flags: CallFlags, io: Io): Promise<GivenCall> {
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
  const value = jsonObject(textOf(Buffer.concat(parts)), "standard input");
  if (!isPermissionRequest(value))
    return usable(readCall(value, cwdOf(flags, io)), "standard input");
  const hook = readPermissionRequest(value);
  if ("code" in hook) throw new CommandError(`standard input: ${hook.text}`);
  const { call, sessionId, agentName } = hook;
  return { call, session: sessionId, ...(agentName === null ? {} : { agent: agentName }) };
}

/** What would be replaced to make it text would be judged as another call than the one that runs. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError("standard input is not UTF-8; encode it so");
  }
}

function jsonObject(text: string, place: string): JsonObject {
  const parsed = parseJsonObject(text, place);
  if ("code" in parsed) throw new CommandError(parsed.text);
  return parsed.value;
}

function usable(call: ReturnType<typeof readCall>, place: string): ReadCall {
  if ("code" in call) throw new CommandError(`${place}: ${call.text}`);
  return call;
}

function cwdOf(flags: CallFlags, io: Io): string {
  return flags.cwd ? resolve(io.cwd, flags.cwd) : io.cwd;
}
