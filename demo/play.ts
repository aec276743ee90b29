import { LINE_SCHEMAS } from "../src/cli/line-schemas.ts";
import type { OutcomeLine } from "../src/cli/lines.ts";
import { CHILDREN, type ChildName, type DemoCall, WITHOUT_LEAD } from "./calls.ts";
import { DemoError } from "./demo-error.ts";
import { promptOf, reactTo } from "./person.ts";
import type { Line, Program } from "./program.ts";

/** Who plays. */
export interface Cast {
  readonly lead: Program;
  readonly children: Readonly<Record<ChildName, Program>>;
  /** True when a person sits before the parent's terminal. */
  readonly person: boolean;
}

/** A call and how it ended. */
export interface PlayedCall {
  readonly demo: DemoCall;
  readonly outcome: OutcomeLine;
}

/** How long a person may take for all dialogs, and the script, in milliseconds. */
const PERSON_MS = 60 * 60_000;
const SCRIPT_MS = 20_000;

/** How long a call waits for a real person before it is taken back, in milliseconds. */
const TAKE_BACK_MS = 1_500;

/** Puts all calls, turn by turn; the parent ends before the last turn. */
export async function play(cast: Cast, calls: readonly DemoCall[]): Promise<readonly PlayedCall[]> {
  const outcomes = hearOutcomes(cast);
  if (!cast.person) answerByScript(cast, calls);
  const played: PlayedCall[] = [];
  for (const turn of new Set(calls.map((call) => call.turn))) {
    if (turn === WITHOUT_LEAD) await cast.lead.stop();
    const now = calls.filter((call) => call.turn === turn);
    for (const { session, call } of now) cast.children[session].say(call);
    const ended = Promise.all(
      now.map(async (demo) => ({ demo, outcome: await outcomes.of(demo.call.id) })),
    );
    if (cast.person) takeBackLater(cast, now);
    const what = `the outcome of every call of turn ${String(turn)}`;
    const limit = cast.person ? PERSON_MS : SCRIPT_MS;
    const present = Object.values(cast.children);
    if (turn !== WITHOUT_LEAD) present.push(cast.lead);
    const attended = present.map(async (one) => one.meanwhile(what, ended, limit));
    const ends = await Promise.race([...attended, outcomes.faulty]);
    // Children may hear of the end of the parent before it is over; what they lost by it is not the demo's story.
    if (turn !== WITHOUT_LEAD && ends.some(lostByTheEnd)) await endOfLead(cast.lead, what);
    played.push(...ends);
  }
  return played;
}

/** Reasons a call is lost for when its parent serves no longer. */
const LEAD_IS_GONE: readonly unknown[] = ["parent_shut_down", "not_serving"];

function lostByTheEnd({ outcome }: PlayedCall): boolean {
  return outcome.outcome === "lost" && LEAD_IS_GONE.includes(outcome.lost);
}

/** Rejects as soon as the parent has ended. */
async function endOfLead(lead: Program, what: string): Promise<never> {
  return lead.meanwhile(what, new Promise<never>(() => undefined), SCRIPT_MS);
}

interface Outcomes {
  of(id: string): Promise<OutcomeLine>;
  /** Rejects when a child prints what is no outcome. */
  readonly faulty: Promise<never>;
}

function hearOutcomes(cast: Cast): Outcomes {
  const heard = new Map<string, PromiseWithResolvers<OutcomeLine>>();
  const slot = (id: string): PromiseWithResolvers<OutcomeLine> => {
    const found = heard.get(id) ?? Promise.withResolvers<OutcomeLine>();
    heard.set(id, found);
    return found;
  };
  const faulty = Promise.withResolvers<never>();
  // It may come when nobody waits for anything.
  faulty.promise.catch(() => undefined);
  for (const name of CHILDREN) {
    cast.children[name].onLine((line) => {
      const outcome = LINE_SCHEMAS.outcome.safeParse(line);
      if (outcome.success) slot(String(outcome.data.id)).resolve(outcome.data);
      else if (!isLateCancel(line)) {
        faulty.reject(new DemoError(`${name} could not use a line: ${JSON.stringify(line)}`));
      }
    });
  }
  return { of: async (id) => slot(id).promise, faulty: faulty.promise };
}

/** A call may end while it is being taken back. */
function isLateCancel(line: Line): boolean {
  const error = LINE_SCHEMAS.error.safeParse(line);
  return error.success && error.data.error.code === "unknown_id";
}

function answerByScript(cast: Cast, calls: readonly DemoCall[]): void {
  cast.lead.onLine((line) => {
    const prompt = promptOf(line);
    if (prompt === undefined) return;
    const reaction = reactTo(prompt);
    if (reaction === "nothing") return;
    if (reaction !== "taken_back") {
      cast.lead.say({ requestId: prompt.requestId, ...reaction });
      return;
    }
    for (const demo of calls) if (demo.takenBack === true) takeBack(cast, demo);
  });
}

function takeBackLater(cast: Cast, calls: readonly DemoCall[]): void {
  const late = calls.filter(({ takenBack }) => takenBack);
  setTimeout(() => {
    for (const demo of late) takeBack(cast, demo);
  }, TAKE_BACK_MS).unref();
}

function takeBack(cast: Cast, { session, call }: DemoCall): void {
  cast.children[session].say({ id: call.id, cancel: true });
}
