import type { UpLine } from "../src/cli/lines.ts";
import { wrapLine } from "../src/render/columns.ts";
import { openSqliteReads } from "../src/store/sqlite-store.ts";
import { CHILDREN, type DemoCall, LEAD, RELAY, readCalls } from "./calls.ts";
import { openTroupe, parentOf, type Scene, surroundings, type Troupe } from "./cast.ts";
import { traceFaults, traceOf } from "./check-trace.ts";
import { countProblems, countRecords, type RecordCounts } from "./count-records.ts";
import { DemoError, DemoStopped } from "./demo-error.ts";
import { keepLogs, makePlace, type Place, removePlace } from "./place.ts";
import { type PlayedCall, play } from "./play.ts";
import { decisive, type Paint, reportCalls, WIDTH } from "./report.ts";
import { runOnce } from "./run-once.ts";
import { deciderOf, type ToldCall, tellCalls } from "./told.ts";

/** What the demo touches of the world outside. */
export interface DemoIo extends Omit<Scene, "place"> {
  readonly write: (text: string) => void;
  readonly paint: Paint;
}

/** How long records may take into the store after the last session has ended, in milliseconds. */
const KEPT_MS = 10_000;
const END_MS = 10_000;

/** Plays the whole demo and resolves to its exit code; nothing is left running and no folder stays. */
export async function runDemo(io: DemoIo): Promise<number> {
  const place = makePlace();
  let end: { readonly code: number; readonly said: string };
  try {
    end = { code: 0, said: await perform(io, place) };
  } catch (error) {
    end = endOf(error, io, place);
  }
  removePlace(place);
  io.write(`\n${end.said}\n`);
  return end.code;
}

function endOf(
  error: unknown,
  io: DemoIo,
  place: Place,
): { readonly code: number; readonly said: string } {
  const fault: unknown = io.signal.aborted ? io.signal.reason : error;
  if (!(fault instanceof Error) || fault instanceof DemoStopped) {
    return { code: 130, said: "The demo was stopped; nothing is left of it." };
  }
  const what = fault instanceof DemoError ? fault.message : String(fault);
  const logs = keepLogs(place);
  return { code: 1, said: `The demo failed: ${what}\nThe logs of its programs are in ${logs}` };
}

/** Everything up to the closing line, which is returned for when all has ended. */
async function perform(io: DemoIo, place: Place): Promise<string> {
  const scene = { ...io, place };
  const calls = readCalls();
  await using troupe = openTroupe(scene);
  const between = io.relay ? "one passes on, " : "";
  io.write(`Askfabric: two sessions ask, ${between}one decides, every step is kept.\n\n`);
  const up = await troupe.up();
  io.write(introduction(up, calls, io));
  const played = await playAll(troupe, scene, { store: up.store, calls });
  await using reads = await openSqliteReads(up.store);
  const counts = await countRecords(place.data, reads, KEPT_MS);
  const told = await tellCalls(reads, played);
  io.write(reportCalls(told, io.paint));
  io.write(`\n${io.paint("bold", "One of them, step by step")} (askfabric audit trace):\n\n`);
  io.write(await run(scene, ["audit", "trace", exampleOf(told), "--width", String(WIDTH)]));
  const verified = await run(scene, ["audit", "verify", "--width", String(WIDTH)]);
  io.write(`\naudit verify: ${verified.trimEnd().split("\n").at(-1) ?? ""}\n`);
  const faults = [...traceProblems(told), ...countProblems(counts)];
  if (faults.length > 0) throw new DemoError(`the record is not whole:\n  ${faults.join("\n  ")}`);
  return closingLine(told, counts);
}

async function playAll(
  troupe: Troupe,
  scene: Scene,
  given: { readonly store: string; readonly calls: readonly DemoCall[] },
): Promise<readonly PlayedCall[]> {
  const lead = await troupe.lead(given.store);
  const relay = scene.relay ? await troupe.relay() : null;
  const children = { builder: troupe.child("builder"), reviewer: troupe.child("reviewer") };
  const played = await play({ lead, children, person: scene.person }, given.calls);
  for (const name of CHILDREN) {
    children[name].endInput();
    const code = await children[name].untilEnded(END_MS);
    if (code !== 0) throw new DemoError(`${name} ended with ${String(code)}`);
  }
  await relay?.stop();
  return played;
}

async function run(scene: Scene, args: readonly string[]): Promise<string> {
  const { data, ...around } = surroundings(scene);
  return runOnce({ ...around, args: [...args, ...data] });
}

function introduction(up: UpLine, calls: readonly DemoCall[], io: DemoIo): string {
  const { person, relay } = io;
  const putBy = (name: string): string =>
    String(calls.filter(({ session }) => session === name).length);
  const behind = person ? "you" : "a scripted person";
  const lines = [
    `  server    nats-server ${up.server} on ${up.url}; records go into SQLite`,
    `  ${LEAD}      serves: its rules (demo/lead.json) decide, then ${behind}`,
    ...(relay ? [`  ${RELAY}      relays: what it is asked goes on to ${LEAD}`] : []),
    ...CHILDREN.map((name) => {
      const first = `  ${name.padEnd(8)}  puts ${putBy(name)} tool calls to its rules`;
      return `${first}, then to ${parentOf(io)}`;
    }),
    "",
    "The calls are judged, not run.",
    ...(person ? FOR_A_PERSON : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const FOR_A_PERSON = [
  "",
  ...wrapLine(
    [
      `You are the person at ${LEAD}. What no rule settles comes to you, one dialog at a time, with the keys it takes:`,
      "Enter denies, y allows once; c or s on a `git push` or a `docker compose up` leaves a grant that answers a",
      "later ask. Some asks are taken back while they wait. Who decided what is shown at the end; Ctrl-C ends the",
      "demo. To watch a scripted person instead: npm run demo -- --scripted",
    ].join(" "),
    // A row that fills the whole screen makes some terminals begin another one.
    WIDTH - 1,
  ),
  "",
];

/** The request that is traced: the first one a person left a grant for, else decided, else any that travelled. */
function exampleOf(told: readonly ToldCall[]): string {
  const requests = told.map((call) => decisive(call).request);
  const found =
    requests.find(({ state }) => state === "approved_for_session") ??
    requests.find((request) => deciderOf(request).kind === "user") ??
    requests.find(({ decidedBy }) => decidedBy.kind === "forwarded") ??
    requests[0];
  if (found === undefined) throw new DemoError("no call raised a request");
  return found.requestId;
}

function traceProblems(told: readonly ToldCall[]): readonly string[] {
  return told.flatMap(({ demo, requests }) =>
    requests.flatMap(({ request, story }) =>
      traceFaults(request, traceOf(story, demo.session, RELAY)).map(
        (fault) => `${demo.call.id} (${request.requestId}): ${fault}`,
      ),
    ),
  );
}

function closingLine(told: readonly ToldCall[], { written }: RecordCounts): string {
  const ended = (how: string): string =>
    `${String(told.filter(({ outcome }) => outcome.outcome === how).length)} ${how}`;
  const ends = ["allowed", "denied", "lost"].map(ended).join(", ");
  return `demo: ${String(told.length)} calls, ${ends}, ${String(written)} records kept`;
}
