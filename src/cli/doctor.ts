import type { Bus } from "../bus/bus.ts";
import { loadConfig } from "../config/load-config.ts";
import { checkConfiguration, checkDataFolder, checkJournal } from "./doctor-disk.ts";
import { checkServed, checkServer } from "./doctor-server.ts";
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
  readonly parent?: string;
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
  const session = flags.session || io.env["ASKFABRIC_SESSION"];
  const parent = flags.parent || io.env["ASKFABRIC_PARENT"];
  const text = `askfabric ${io.version} on Node ${process.versions.node}`;
  say({ check: "program", status: "ok", text });
  const config = await loadConfig(loadRequest(flags, io));
  for (const line of checkConfiguration(config)) say(line);
  say(checkDataFolder(data));
  if (session) say(checkJournal(data, session));
  const bus = await reachServer(flags, io, { data, config, session: session || "doctor", say });
  if (bus === null) {
    if (parent) say({ ...UNSEEN, text: `without a server nobody serves ${parent}` });
  } else {
    await using held = bus;
    say(checkServer(held.port));
    if (parent) say(await checkServed(held, { parent, session, stop: io.stop }));
  }
  return fails.length > 0 ? EXIT.usage : EXIT.ok;
}

const UNSEEN = { check: "parent", status: "skipped", todo: "see the check of the server" } as const;

interface Reaching extends Pick<Speaking, "data" | "config" | "session"> {
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
