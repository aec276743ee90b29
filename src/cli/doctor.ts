import type { Bus } from "../bus/bus.ts";
import { loadConfig } from "../config/load-config.ts";
import { type AskLook, checkAsks, sessionsAbove } from "./doctor-asks.ts";
import { checkConfiguration, checkDataFolder, checkJournal } from "./doctor-disk.ts";
import { checkServed, checkServer, hearSessions } from "./doctor-server.ts";
import { EXIT, sentenceOf } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import type { CheckLine } from "./lines.ts";
import { dataFolder, loadRequest } from "./places.ts";
import { busOptions, findServer, type Speaking } from "./prepare.ts";
import { type CheckFlags, showCheck } from "./show-checks.ts";

/** Flags of `doctor`. */
export interface DoctorFlags extends CommonFlags, CheckFlags {
  readonly session?: string;
  readonly parent?: readonly string[];
}

/** Longest wait for the server, in milliseconds. */
const START_MS = 3000;

/** Looks at everything an ask needs, one line each; 1 when something fails. */
export async function runDoctor(flags: DoctorFlags, io: Io): Promise<number> {
  const fails: CheckLine[] = [];
  const say = (line: CheckLine): void => {
    if (line.status === "fail") fails.push(line);
    showCheck(line, flags, io);
  };
  const data = dataFolder(flags, io);
  const session = flags.session || io.env["ASKFABRIC_SESSION"] || null;
  const mark = io.env["ASKFABRIC_PARENT"];
  const parents = flags.parent ?? (mark ? [mark] : []);
  const text = `askfabric ${io.version} on Node ${process.versions.node}`;
  say({ check: "program", status: "ok", text });
  const config = await loadConfig(loadRequest(flags, io));
  for (const line of checkConfiguration(config)) say(line);
  say(checkDataFolder(data));
  const looked = session !== null && checkedJournal(data, session, say) ? session : null;
  const isStandIn = session === null;
  const reaching = { data, config, session: session ?? "doctor", isStandIn, say };
  const bus = await reachServer(flags, io, reaching);
  const heard = await lookAround(bus, { reaching, parents, looked, stop: io.stop });
  if (looked !== null) tellAsks({ folder: data, session: looked, now: io.clock.now(), heard }, say);
  return fails.length > 0 ? EXIT.usage : EXIT.ok;
}

function checkedJournal(data: string, session: string, say: Reaching["say"]): boolean {
  const line = checkJournal(data, session);
  say(line);
  return line.status === "ok";
}

/** Checks the server and the parents; gives what is heard of them, null without a server. */
async function lookAround(
  bus: Bus | null,
  of: {
    readonly reaching: Reaching;
    readonly parents: readonly string[];
    /** The session whose asks are to be told. */
    readonly looked: string | null;
    readonly stop: AbortSignal;
  },
): Promise<AskLook["heard"]> {
  const { parents, looked, stop } = of;
  const { say, data, session } = of.reaching;
  if (bus === null) {
    for (const parent of parents) {
      say({ ...UNSEEN, text: `without a server nobody serves ${parent}` });
    }
    return null;
  }
  await using held = bus;
  say(checkServer(held.port));
  const sessions = [...parents, ...(looked === null ? [] : waitedFor(data, looked))];
  const heard = await hearSessions(held, { sessions, as: session, stop });
  for (const parent of parents) say(checkServed(parent, heard.get(parent) ?? null));
  return heard;
}

function tellAsks(look: AskLook, say: (line: CheckLine) => void): void {
  try {
    for (const line of checkAsks(look)) say(line);
  } catch (error) {
    const todo = "see the check of the journal";
    say({ check: "asks", status: "fail", text: sentenceOf(error), todo });
  }
}

/** What cannot be read is told when the asks are. */
function waitedFor(folder: string, session: string): readonly string[] {
  try {
    return sessionsAbove(folder, session);
  } catch {
    return [];
  }
}

const UNSEEN = { check: "parent", status: "skipped", todo: "see the check of the server" } as const;

interface Reaching extends Pick<Speaking, "data" | "config" | "session" | "isStandIn"> {
  readonly say: (line: CheckLine) => void;
}

/** Connects; null, with the reason told, when that is not possible. */
async function reachServer(flags: DoctorFlags, io: Io, reaching: Reaching): Promise<Bus | null> {
  const { data, say } = reaching;
  try {
    const found = findServer(flags, io, data);
    const options = busOptions(found, reaching);
    const kind = found.credential?.kind ?? "none";
    const text = `kind ${kind}, for the server named by ${found.named}`;
    say({ check: "credentials", status: "ok", text });
    const { connect } = await import("../bus/connect.ts");
    return await connect({ ...options, startTimeoutMs: START_MS, signal: io.stop });
  } catch (error) {
    const todo =
      'start one with "askfabric up", or name the one you mean with --url and its credentials';
    say({ check: "server", status: "fail", text: sentenceOf(error), todo });
    return null;
  }
}
