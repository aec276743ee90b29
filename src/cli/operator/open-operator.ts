import type { ControlRefused } from "../../ask/control.ts";
import { isLater } from "../../ask/incarnation.ts";
import type { Presence } from "../../ask/messages.ts";
import { HEARTBEAT_MS } from "../../ask/presence.ts";
import {
  type ControlReply,
  type OperatorLine,
  openOperatorLine,
  type Silence,
} from "../../bus/operator-line.ts";
import { CommandError, EXIT } from "../failure.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { connectBus, issuedTo, type Prepared, prepare } from "../prepare.ts";
import { standsText } from "../stands-text.ts";

/** Flags of every command of an operator. */
export interface OperatorFlags extends CommonFlags {
  readonly session?: string;
  readonly as?: string;
  readonly json?: boolean;
  /** Columns of a line for a person. */
  readonly width: number;
}

/** What a command of an operator works with. */
export interface OperatorTools extends AsyncDisposable {
  readonly line: OperatorLine;
  readonly operator: string;
  readonly prepared: Prepared;
  /** Resolves when the connection is closed for good. */
  readonly closed: Promise<unknown>;
}

/** Long enough to hear every session that serves, in milliseconds. */
const HEARING_MS = 2 * HEARTBEAT_MS;

/** Connects as an operator. @throws {@link CommandError} when none is named, or the credential is another's. */
export async function openOperator(flags: OperatorFlags, io: Io): Promise<OperatorTools> {
  const operator = operatorOf(flags, io);
  const prepared = await prepare(flags, io, "warn");
  const bus = await connectBus(flags, io, { ...prepared, session: operator });
  const line = openOperatorLine({ bus, operator, log: prepared.log });
  return {
    line,
    operator,
    prepared,
    closed: bus.port.closed,
    [Symbol.asyncDispose]: async () => {
      line.close();
      await bus[Symbol.asyncDispose]();
      await prepared.log.flush();
    },
  };
}

/** By flag, environment, or the credential that was issued to one. */
function operatorOf(flags: OperatorFlags, io: Io): string {
  const named = flags.as || io.env["ASKFABRIC_OPERATOR"];
  const speaker = issuedTo(flags, io);
  if (speaker !== null && speaker.role !== "operator") {
    throw new CommandError(
      `the credential was issued to the ${speaker.role} ${JSON.stringify(speaker.name)}, and only an operator may do this; have one issued with "askfabric creds add NAME --role operator"`,
    );
  }
  if (speaker !== null && named && named !== speaker.name) {
    throw new CommandError(
      `the credential was issued to the operator ${JSON.stringify(speaker.name)} and cannot speak as ${JSON.stringify(named)}; leave --as out`,
    );
  }
  const operator = named || speaker?.name;
  if (operator) return operator;
  throw new CommandError("no operator is named; give --as or set ASKFABRIC_OPERATOR");
}

/** The sessions that are wanted: the one named, or all that are heard to serve. */
export async function sessionsFor(
  flags: OperatorFlags,
  { line }: Pick<OperatorTools, "line">,
  io: Io,
): Promise<readonly string[]> {
  if (flags.session) return [flags.session];
  const heard = new Map<string, Presence>();
  const stop = line.hearSessions((presence) => keepNewest(heard, presence));
  try {
    await during(HEARING_MS, io.stop);
  } finally {
    stop();
  }
  return [...heard.values()]
    .filter(({ serving }) => serving)
    .map(({ session }) => session)
    .toSorted();
}

/** Of two processes of one session the later one counts. */
export function keepNewest(heard: Map<string, Presence>, presence: Presence): void {
  const before = heard.get(presence.session);
  if (before !== undefined && isLater(before.incarnation, presence.incarnation)) return;
  heard.set(presence.session, presence);
}

/** Waits, at most until the program is to stop. */
export async function during(ms: number, stop: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, ms);
  stop.addEventListener("abort", () => done.resolve(), { once: true });
  if (stop.aborted) done.resolve();
  await done.promise;
  clearTimeout(timer);
}

const SILENCES: Readonly<Record<Silence, string>> = {
  not_serving: 'no process serves it, or it serves no operators; start "askfabric serve" for it',
  no_answer: "it gave no answer in time; look whether it is up, and try again",
  endless: "what it answers has no end; its program is not one of this product, or broken",
  permission_refused:
    "the server does not let this operator ask it; have the credential issued anew",
};

/** Ends a command whose want came to nothing. @throws {@link CommandError} always. */
export function failed(session: string, reply: ControlReply): never {
  if (reply.op === "silence") {
    const text = `session ${session} did not answer: ${SILENCES[reply.why]}`;
    throw new CommandError(text, { exitCode: EXIT.lost });
  }
  if (reply.op !== "refused") throw new CommandError(`session ${session} answered something else`);
  throw new CommandError(`session ${session} refuses: ${refusalText(reply.refused)}`);
}

/** Why a session did nothing, and where an end stands, whose it is. */
export function refusalText({ text, stands }: ControlRefused): string {
  return stands === undefined ? text : `${text}: ${standsText(stands)}`;
}
