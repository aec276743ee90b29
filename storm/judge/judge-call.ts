import { type DecisionSource, effectiveDecider } from "../../src/ask/decision.ts";
import { type Call, endOfLine } from "../asks/call.ts";
import type { End } from "../asks/kinds.ts";
import type { Kept, KeptRecords } from "./kept.ts";

/** What can be wrong with one call. */
export type Fault = "lost" | "doubled" | "misdelivered" | "divergent";

/** One thing that is wrong, with what shows it. */
export interface Found {
  readonly fault: Fault;
  readonly call: string;
  readonly why: string;
}

/** What is known of a call when all is over. */
export interface Judged {
  /** False for a call that no process had read before it was killed: it was never asked. */
  readonly asked: boolean;
  readonly found: readonly Found[];
  /** True where a rule decided, and its record was in the last group commit of a parent that was killed. */
  readonly unrecorded: boolean;
}

/** Where asks may go. */
export interface Ways {
  /** One session after the other, the first being the one its child asks. */
  readonly way: readonly string[];
  /** Sessions a child asks in the place of the first. */
  readonly spares?: readonly string[];
}

/**
 * Judges one call by its lines and by what every session recorded of it.
 */
export function judgeCall(call: Call, kept: KeptRecords, { way, spares = [] }: Ways): Judged {
  const requests = kept.requestsOf.get(call.id) ?? [];
  const [requestId] = requests;
  if (requestId === undefined) {
    if (call.lines.length === 0 && call.orphaned) return NEVER_ASKED;
    const why = call.lines.length === 0 ? "no end and no record" : "no record of it";
    return { asked: true, found: [{ fault: "lost", call: call.id, why }], unrecorded: false };
  }
  const all = kept.byRequest.get(requestId) ?? [];
  const own = all.filter(({ session }) => session === call.child);
  const theirs = all.filter(({ session }) => [...way, ...spares].includes(session));
  const view: View = { call, requestId, requests, own, theirs, way, spares, end: recordedEnd(own) };
  const found = [...ends(view), ...doubles(view), ...deliveries(view), ...agreement(view)].map(
    ([fault, why]) => ({ fault, call: `${call.id} (${call.kind.name}, ${requestId})`, why }),
  );
  return { asked: true, found, unrecorded: isUnrecorded(view) };
}

const NEVER_ASKED: Judged = { asked: false, found: [], unrecorded: false };

interface View {
  readonly call: Call;
  readonly requestId: string;
  readonly requests: readonly string[];
  readonly own: readonly Kept[];
  readonly theirs: readonly Kept[];
  readonly way: readonly string[];
  readonly spares: readonly string[];
  /** How the child recorded its end; null when it did not. */
  readonly end: End | null;
}

type Wrong = readonly [Fault, string];

function recordedEnd(own: readonly Kept[]): End | null {
  const decision = own.filter(({ name }) => name === "decision").at(-1)?.content;
  if (decision === undefined) return null;
  const { lost, result } = decision;
  if (typeof lost === "string") return `lost ${lost}`;
  return result === "allow" ? "allowed" : "denied";
}

/** Exactly one end that is true, and told as it was recorded. */
function ends({ call, end }: View): readonly Wrong[] {
  if (end === null) return [["lost", "its session recorded no end"]];
  const wrong: Wrong[] = [];
  const [first] = call.lines;
  const told = first === undefined ? null : endOfLine(first.line);
  if (told === null && !call.orphaned) wrong.push(["lost", "no outcome was told"]);
  if (told !== null && told !== end) {
    wrong.push(["lost", `it was told as ${told} and recorded as ${end}`]);
  }
  const orphan = call.orphaned && end === "lost cancelled";
  if (!orphan && !call.kind.ends.includes(end)) wrong.push(["lost", `it ended as ${end}`]);
  return wrong;
}

function doubles({ call, own, requests, theirs }: View): readonly Wrong[] {
  const wrong: Wrong[] = [];
  const decisions = own.filter(({ name }) => name === "decision").length;
  if (decisions > 1) wrong.push(["doubled", `${String(decisions)} ends were recorded`]);
  const applied = own.filter(({ name }) => name === RECEIVED).length;
  if (applied > 1) wrong.push(["doubled", `${String(applied)} verdicts were applied`]);
  if (call.lines.length > 1) wrong.push(["doubled", `${String(call.lines.length)} outcomes`]);
  if (call.runs > 1) wrong.push(["doubled", `its tool ran ${String(call.runs)} times`]);
  if (requests.length > 1) wrong.push(["doubled", `it was asked as ${requests.join(" and ")}`]);
  const places = new Set([...own, ...theirs].map(({ session, n }) => `${session} ${String(n)}`));
  if (places.size < own.length + theirs.length) wrong.push(["doubled", "a record is kept twice"]);
  return wrong;
}

const RECEIVED = "forwarded_permission.response_received";

/** Everything that names it is about this command, of this session, in this process. */
function deliveries({ call, requestId, own, theirs }: View): readonly Wrong[] {
  const told = call.lines.flatMap(({ process, line }) => {
    const [request] = (line["requests"] ?? []) as readonly { readonly requestId: string }[];
    return [
      process === call.process ? null : `told by ${process}`,
      request === undefined || request.requestId === requestId
        ? null
        : `its outcome is that of ${request.requestId}`,
    ];
  });
  const recorded = [...own, ...theirs].flatMap((record) => foreign(call, record));
  return [...told, ...recorded]
    .filter((why) => why !== null)
    .map((why) => ["misdelivered", why] as const);
}

/** What in a record of a call is about another one. */
function foreign(call: Call, { session, name, content }: Kept): readonly (string | null)[] {
  const { value, requesterSessionId, denialReason } = content;
  const isText = (text: unknown): text is string => typeof text === "string";
  return [
    isText(value) && !isOf(call, value) ? `${name} of ${session} is about ${value}` : null,
    isText(requesterSessionId) && !isWay(call, requesterSessionId)
      ? `${session} took it for an ask of ${requesterSessionId}`
      : null,
    isText(denialReason) && isForeignReason(call, denialReason)
      ? `${name} of ${session} gives the reason "${denialReason}"`
      : null,
  ];
}

/** Records cut what is long. */
const isOf = ({ command }: Call, value: string): boolean =>
  value === command || (value.endsWith("…") && command.startsWith(value.slice(0, -1)));

/** A middle session asks for its child as itself. */
const isWay = ({ child }: Call, requester: string): boolean =>
  requester === child || !requester.startsWith("worker-");

const isForeignReason = ({ command }: Call, reason: string): boolean =>
  reason.startsWith("no ") && reason !== `no ${command}`;

const VERDICTS: Readonly<Record<string, End>> = {
  "forwarded_permission.approved": "allowed",
  "forwarded_permission.auto_approved": "allowed",
  "forwarded_permission.denied": "denied",
  "forwarded_permission.auto_denied": "denied",
};

/**
 * On each hop the deciding node's last record and what its child applied say the same, unless it says that it was
 * late. A relay that says so of its own answer hands the word on: what it took from above had no effect either.
 */
function agreement(view: View): readonly Wrong[] {
  const { call, own, theirs, way, spares, end } = view;
  // Of the sessions a child may ask, each is held against what the child applied of its very answer.
  const hops = [
    ...way.map((decider, place) => ({ decider, asker: way[place - 1] })),
    ...spares.map((decider) => ({ decider, asker: undefined })),
  ];
  return hops.flatMap(({ decider, asker }) => {
    const applied =
      asker === undefined
        ? appliedBy(spares.length === 0 ? own : answeredBy(decider, own), end)
        : appliedBy(
            theirs.filter(({ session }) => session === asker),
            null,
          );
    const recorded = theirs.filter(({ session }) => session === decider);
    if (call.orphaned && end === null) return [];
    const undone = theirs.some(({ session, name }) => session === asker && name === LATE);
    return agreementOfHop(recorded, { applied, undone, asker: asker ?? call.child });
  });
}

const LATE = "forwarded_permission.late_decision";

/** Why an answer was late that met another one: it says nothing against the one that stands. */
const OF_ANOTHER = "another_end";

/** What the node that asked on a hop did with the answer. */
interface Applied {
  /** Null where it applied nothing. */
  readonly applied: End | null;
  /** Whether its own child was told too late. */
  readonly undone: boolean;
  readonly asker: string;
}

function answeredBy(decider: string, own: readonly Kept[]): readonly Kept[] {
  return own.filter(({ name, content }) => {
    return name !== RECEIVED || content["targetSessionId"] === decider;
  });
}

/** What a node applied of what it was told; null where it applied nothing. */
function appliedBy(records: readonly Kept[], end: End | null): End | null {
  const received = records.findLast(({ name }) => name === RECEIVED);
  if (received === undefined) return null;
  return end ?? (received.content["approved"] === true ? "allowed" : "denied");
}

function agreementOfHop(
  recorded: readonly Kept[],
  { applied, undone, asker }: Applied,
): readonly Wrong[] {
  const verdict = recorded.findLast(({ name }) => name in VERDICTS);
  if (verdict === undefined) return applied === null ? [] : agreementWithout(recorded, applied);
  const decided = VERDICTS[verdict.name] ?? "";
  const late = recorded.slice(recorded.indexOf(verdict) + 1).filter(({ name }) => name === LATE);
  const isLate = late.length > 0;
  if (applied === decided) {
    const isTold = late.some(({ content }) => content["why"] !== OF_ANOTHER);
    return isTold && !undone ? [["divergent", `applied as ${applied}, and recorded as late`]] : [];
  }
  if (isLate) return [];
  return [["divergent", `${decided} at ${verdict.session}, ${applied ?? "nothing"} at ${asker}`]];
}

function agreementWithout(theirs: readonly Kept[], applied: string): readonly Wrong[] {
  return theirs.some(({ name }) => name === "forwarded_permission.cancelled")
    ? [["divergent", `applied as ${applied}, and recorded as taken back`]]
    : [];
}

function isUnrecorded({ own, theirs }: View): boolean {
  const received = own.find(({ name }) => name === RECEIVED)?.content;
  const decidedBy = received?.["decidedBy"] as DecisionSource | undefined;
  if (decidedBy === undefined || effectiveDecider(decidedBy).kind !== "rule") return false;
  return !theirs.some(({ name }) => name in VERDICTS);
}
