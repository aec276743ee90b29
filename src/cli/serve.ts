import type { Terminal } from "../ask/ports.ts";
import { toPolicySources } from "../config/compile-config.ts";
import { denyTerminal } from "../parent/deny-terminal.ts";
import { operatorTerminal } from "../parent/operator-terminal.ts";
import { openParent, type Parent, type ParentOptions } from "../parent/parent.ts";
import { CommandError, EXIT, sentenceOf } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import { followConfig } from "./follow-config.ts";
import { type FollowedLinks, followLinks, nameLinks } from "./follow-links.ts";
import { type Io, isStoppedInOrder, printLine, type Screen, untilStopped } from "./io.ts";
import { readLines } from "./json-lines.ts";
import type { ReadyLine } from "./lines.ts";
import { connectBus, issuedTo, type Prepared, prepare } from "./prepare.ts";
import { promptView } from "./prompt-view.ts";
import { type RelayFlags, readUpstream, upstreamTo } from "./serve-upstream.ts";
import { readSession } from "./session-name.ts";
import { leftoversOf } from "./ship-leftovers.ts";
import { shipRecords } from "./ship-records.ts";
import { createStdinTerminal } from "./stdin-terminal.ts";
import { keepYoungHeapSmall } from "./young-heap.ts";

/** Flags of `serve`. */
export interface ServeFlags extends CommonFlags, RelayFlags {
  /** A fleet's roster: agent names that it attests may be allowed by rules of them. */
  readonly roster?: string;
  readonly session?: string;
  readonly open: number;
  readonly width: number;
}

/** Longest line a person may write, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Loaded with its use: few sessions trust agent names. */
async function rosterOf({ roster }: ServeFlags, io: Io): Promise<Pick<ParentOptions, "roster">> {
  if (!roster) return {};
  const { readRoster } = await import("./read-roster.ts");
  return { roster: readRoster(roster, io) };
}

/** Serves a session until it is stopped. @throws {@link CommandError} when it could not begin or go on. */
export async function runServe(flags: ServeFlags, io: Io): Promise<number> {
  keepYoungHeapSmall();
  const session = readSession(flags.session, io, () => issuedTo(flags, io));
  const upstream = readUpstream(flags, session);
  const screen = screenOf(flags, io);
  let say = io.complain;
  // Log entries go between dialogs: written into one they would tear it.
  const beside: Io =
    screen !== null && io.stderrIsTerminal ? { ...io, complain: (text) => say(text) } : io;
  const prepared = await prepare(flags, beside, "info");
  const { data, config, log } = prepared;
  // A session that relays asks nobody here.
  const asking = upstream === null ? flags : { ...flags, terminal: "deny" };
  using opened =
    screen === null ? terminalOf(asking, io, prepared) : await tuiOf(screen, io, prepared);
  const { terminal, listen } = opened;
  say = opened.say;
  await using bus = await connectBus(flags, io, { ...prepared, session });
  await using shipping = shipRecords({ bus, data, session, clock: io.clock, log });
  await using links = await linksOf(upstream, io, prepared);
  await using parent = await openParent({
    bus,
    session,
    data,
    home: io.home,
    rules: toPolicySources(config),
    terminal,
    ...upstreamTo(upstream, { ...prepared, io, bus, session }),
    ...links.links,
    ...(await rosterOf(flags, io)),
    reviewLogFieldMaxWidth: config.options.reviewLogFieldMaxWidth,
    operatorOps: config.options.operatorOps,
    clock: io.clock,
    log,
  });
  await shipping.begin();
  using _leftovers = leftoversOf(flags, io, { ...prepared, bus, session });
  using _follow = followConfig(prepared, parent, (loaded) => {
    links.follow(loaded, parent);
    parent.setOperatorOps(loaded.options.operatorOps);
  });
  if (screen === null) printLine(io, readyLine(parent, upstream));
  else say(`Serving session ${session}. Asks for you appear here.\n`);
  listen();
  const ended = await Promise.race([parent.stopped, untilStopped(io.stop)]);
  const open = parent.openAsks().length;
  await parent.close({ answerOpen: io.stop.aborted });
  if (screen !== null && io.stop.aborted) say(farewell(session, open));
  await log.flush();
  if (isStoppedInOrder(io)) return EXIT.ok;
  throw new CommandError(
    io.stop.aborted
      ? `session ${session} is served no longer: ${sentenceOf(io.stop.reason)}; its open asks went back undecided; start serve again where somebody reads it`
      : `session ${session} is served no longer: ${ended ?? "it was closed"}; its open asks stay in ${data} for the next serve`,
  );
}

function readyLine({ session, incarnation }: Parent, upstream: string | null): ReadyLine {
  const ready = { ready: true, session, incarnation } as const;
  return upstream === null ? ready : { ...ready, parent: upstream };
}

async function linksOf(
  upstream: string | null,
  io: Io,
  { config, log }: Prepared,
): Promise<FollowedLinks> {
  return upstream === null ? followLinks(config, io, log) : nameLinks(config);
}

/** What becomes of the asks that nobody answered, said to the person who ends serving. */
function farewell(session: string, open: number): string {
  const end = `Session ${session} is served no longer.\n`;
  if (open === 0) return end;
  const went =
    open === 1
      ? "1 open ask went back to its child undecided"
      : `${open} open asks went back to their children undecided`;
  return `${end}${went} (parent_shut_down):\nnothing of it runs, and nobody is said to have denied it.\n`;
}

/** The screen that `--terminal tui` needs, null for other terminals. @throws {@link CommandError} */
function screenOf(flags: ServeFlags, io: Io): Screen | null {
  if (flags.terminal !== "tui") return null;
  const { screen } = io;
  if (screen !== null) return screen;
  throw new CommandError(
    "--terminal tui needs a person's terminal, and standard input or standard output is none; run it in one, or use --terminal stdin and answer by JSON lines",
  );
}

interface OpenedTerminal extends Disposable {
  readonly terminal: Terminal;
  /** Begins to read answers; what was written before waits in the pipe until then. */
  readonly listen: () => void;
  /** Where log entries of the program go. */
  readonly say: (text: string) => void;
}

/** Its modules are loaded for those who have a screen only. */
async function tuiOf(screen: Screen, io: Io, { config }: Prepared): Promise<OpenedTerminal> {
  const [{ createTuiTerminal }, { wantsColour }] = await Promise.all([
    import("./tui-terminal.ts"),
    import("./tui-paint.ts"),
  ]);
  const { promptMaxRows: maxRows, promptFieldMaxWidth: fieldMaxWidth } = config.options;
  const colour = wantsColour(io.env);
  const { clock } = io;
  const terminal = createTuiTerminal({ screen, maxRows, fieldMaxWidth, colour, clock });
  return {
    terminal,
    listen: terminal.begin,
    say: terminal.say,
    [Symbol.dispose]: () => terminal[Symbol.dispose](),
  };
}

function terminalOf(flags: ServeFlags, io: Io, { config, log }: Prepared): OpenedTerminal {
  const say = io.complain;
  const nothing = (): void => undefined;
  if (flags.terminal === "deny") {
    return { terminal: denyTerminal(), listen: nothing, say, [Symbol.dispose]: nothing };
  }
  if (flags.terminal === "operator") {
    if (!config.options.operatorOps.includes("answer")) {
      throw new CommandError(
        '--terminal operator leaves asks to operators, and operatorOps does not let them answer; add "answer" to it, or use another terminal',
      );
    }
    return { terminal: operatorTerminal(), listen: nothing, say, [Symbol.dispose]: nothing };
  }
  if (flags.terminal !== "stdin") {
    throw new CommandError(
      `--terminal ${JSON.stringify(flags.terminal)} is not known; use tui, stdin, operator or deny`,
    );
  }
  const { promptMaxRows: maxRows, promptFieldMaxWidth: fieldMaxWidth } = config.options;
  const terminal = createStdinTerminal({
    open: flags.open,
    view: promptView({ width: flags.width, maxRows, fieldMaxWidth }),
    print: (line) => printLine(io, line),
  });
  const read = async (): Promise<void> => {
    for await (const line of readLines(io.stdin, MAX_ANSWER_BYTES)) terminal.read(line);
    log.warn(
      {},
      "standard input has ended: asks for a person stay open until they expire or another serve takes them up",
    );
  };
  const listen = (): void => {
    read().catch((error: unknown) =>
      log.error({ error }, "standard input cannot be read any more"),
    );
  };
  return { terminal, listen, say, [Symbol.dispose]: nothing };
}
