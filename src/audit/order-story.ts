import { filedTime } from "../store/store.ts";
import { type ReadableRecord, textIn } from "./read-record.ts";
import { type CausesOf, sortByCause } from "./sort-by-cause.ts";
import { STEPS, type Step, stepOf } from "./story-steps.ts";

/** One record of an ask's story. */
export interface StoryEntry {
  readonly record: ReadableRecord;
  readonly step: Step;
  /** Sessions between the one that asked first and this one. */
  readonly hop: number;
  /** Milliseconds since the story began, by the clock of the session that asked first. */
  readonly at: number;
  /**
   * Milliseconds since the last entry that caused it; below 0 where clocks differ by less than can be measured, or
   * one was set back.
   */
  readonly took: number;
}

/** A session that took part in an ask. */
export interface StoryNode {
  readonly session: string;
  readonly sessionToken: string;
  readonly hop: number;
  /** How far its clock is ahead of the one before it, in milliseconds; null when that cannot be told. */
  readonly skewMs: number | null;
  /** Half the width of what `skewMs` may be off. */
  readonly withinMs: number | null;
}

interface Item {
  readonly record: ReadableRecord;
  readonly step: Step;
  /** The sessions by their names in records. */
  readonly session: string;
}

interface Edge {
  readonly child: string;
  readonly parent: string;
}

/**
 * Orders the records of one ask by cause, never by clocks: each session's in the order of its chain; a parent's
 * after the child sent, the child's `accepted` after that process of the parent received, the child's answer after
 * the parent ruled. Where none causes the other, the earlier step of the protocol stands first, then the lower hop.
 */
export function orderStory(records: readonly ReadableRecord[]): {
  readonly entries: readonly StoryEntry[];
  readonly nodes: readonly StoryNode[];
} {
  const items = records.map(
    (record): Item => ({ record, step: stepOf(record), session: record.head.session }),
  );
  const edges = edgesOf(items);
  const hops = hopsOf(items, edges);
  const causes = causesOf(items, edges);
  const ordered = sortByCause(causes, (item) => rankOf(item, hops));
  const nodes = nodesOf(ordered, edges, hops);
  return { entries: timed(ordered, { causes, ahead: clocksOf(nodes, edges), hops }), nodes };
}

function edgesOf(items: readonly Item[]): readonly Edge[] {
  const edges = new Map<string, Edge>();
  const add = (child: string | null, parent: string | null): void => {
    if (child === null || parent === null || child === parent) return;
    edges.set(JSON.stringify([child, parent]), { child, parent });
  };
  for (const { record, session, step } of items) {
    if (step === "sent") add(session, textIn(record, "targetSessionId"));
    if (step === "received" || step === "ruled") add(textIn(record, "requesterSessionId"), session);
  }
  return [...edges.values()];
}

/** Deeper than any ask goes: records may name each other in circles. */
const MOST_HOPS = 16;

function hopsOf(items: readonly Item[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const hops = new Map<string, number>();
  const visit = (session: string, hop: number): void => {
    if ((hops.get(session) ?? -1) >= hop || hop > Math.min(edges.length, MOST_HOPS)) return;
    hops.set(session, hop);
    for (const { child, parent } of edges) if (child === session) visit(parent, hop + 1);
  };
  const sessions = [...new Set(items.map(({ session }) => session))];
  const roots = sessions.filter((session) => !edges.some(({ parent }) => parent === session));
  for (const session of roots.length > 0 ? roots : sessions.slice(0, 1)) visit(session, 0);
  // A parent whose child's records are not here is one hop from somebody.
  for (const { child, parent } of edges) if (!sessions.includes(child)) visit(parent, 1);
  for (const session of sessions) visit(session, hops.get(session) ?? 0);
  return hops;
}

/** What of its parent a child's step waits for. */
const CHILD_WAITS: Readonly<Partial<Record<Step, readonly Step[]>>> = {
  accepted: ["received"],
  answered: ["received", "ruled"],
};

function causesOf(items: readonly Item[], edges: readonly Edge[]): CausesOf<Item> {
  const causes = new Map(items.map((item) => [item, new Set<Item>()] as const));
  const link = (cause: Item | undefined, effect: Item | undefined): void => {
    if (cause !== undefined && effect !== undefined) causes.get(effect)?.add(cause);
  };
  const bySession = Map.groupBy(items, ({ session }) => session);
  for (const own of bySession.values()) {
    own.sort((one, other) => one.record.head.n - other.record.head.n);
    for (const [place, item] of own.entries()) link(own[place - 1], item);
  }
  for (const edge of edges) {
    linkEdge(edge, { mine: bySession.get(edge.child), theirs: bySession.get(edge.parent), link });
  }
  return causes;
}

/** Links what a child and its parent made each other do. */
function linkEdge(
  { parent }: Edge,
  parts: {
    readonly mine: readonly Item[] | undefined;
    readonly theirs: readonly Item[] | undefined;
    readonly link: (cause: Item | undefined, effect: Item | undefined) => void;
  },
): void {
  const { mine = [], theirs = [], link } = parts;
  if (mine.length === 0) return;
  const isSent = ({ step, record }: Item): boolean =>
    step === "sent" && textIn(record, "targetSessionId") === parent;
  link(mine.find(isSent), theirs[0]);
  for (const effect of mine) {
    const steps = CHILD_WAITS[effect.step];
    if (steps === undefined || !isAnsweredBy(effect.record, parent)) continue;
    link(saidBy(theirs, steps, textIn(effect.record, "incarnation")), effect);
  }
}

/** The last such step of the process that a child heard; of any process where its records are not here. */
function saidBy(
  theirs: readonly Item[],
  steps: readonly Step[],
  incarnation: string | null,
): Item | undefined {
  const fits = theirs.filter(({ step }) => steps.includes(step));
  const same = fits.filter(({ record }) => record.head.incarnation === incarnation);
  return same.at(-1) ?? fits.at(-1);
}

/** A child that gave up by itself was not answered: what its parent did then may have come later. */
function isAnsweredBy(record: ReadableRecord, parent: string): boolean {
  if (textIn(record, "targetSessionId") !== parent) return false;
  const event = textIn(record, "event");
  return (
    event === "forwarded_permission.response_received" || event === "forwarded_permission.accepted"
  );
}

function rankOf(
  { step, session, record }: Item,
  hops: ReadonlyMap<string, number>,
): readonly number[] {
  return [STEPS.indexOf(step), hops.get(session) ?? 0, record.head.n, record.stored.place];
}

/** The clock of a parent against its child's, by the two messages that crossed between them. */
function nodesOf(
  ordered: readonly Item[],
  edges: readonly Edge[],
  hops: ReadonlyMap<string, number>,
): readonly StoryNode[] {
  const nodes = new Map<string, StoryNode>();
  for (const { session, record } of ordered) {
    if (nodes.has(session)) continue;
    const edge = edges.find(({ parent }) => parent === session);
    nodes.set(session, {
      session,
      sessionToken: record.stored.sessionToken,
      hop: hops.get(session) ?? 0,
      ...skewOf(ordered, edge),
    });
  }
  return [...nodes.values()].sort((one, other) => one.hop - other.hop);
}

function skewOf(
  ordered: readonly Item[],
  edge: Edge | undefined,
): Pick<StoryNode, "skewMs" | "withinMs"> {
  const timeOf = (session: string | undefined, steps: readonly Step[], last: boolean): number => {
    const fits = ({ session: of, step }: Item): boolean => of === session && steps.includes(step);
    const item = last ? ordered.findLast(fits) : ordered.find(fits);
    return item?.record.head.time ?? Number.NaN;
  };
  const sent = timeOf(edge?.child, ["sent"], false);
  const received = timeOf(edge?.parent, ["received", "ruled"], false);
  const ruled = timeOf(edge?.parent, ["ruled"], true);
  const answered = timeOf(edge?.child, ["answered"], false);
  const skewMs = (received - sent + (ruled - answered)) / 2;
  const withinMs = (answered - sent - (ruled - received)) / 2;
  if (!Number.isFinite(skewMs) || withinMs < 0) return { skewMs: null, withinMs: null };
  return { skewMs, withinMs };
}

/** How far each session's clock is ahead of that of the session that asked first. */
function clocksOf(
  nodes: readonly StoryNode[],
  edges: readonly Edge[],
): ReadonlyMap<string, number> {
  const ahead = new Map<string, number>();
  for (const { session, skewMs, withinMs } of nodes) {
    const child = edges.find(({ parent }) => parent === session)?.child ?? "";
    // Clocks that differ by no more than can be measured are taken to be the same.
    const measured = skewMs !== null && withinMs !== null && Math.abs(skewMs) > withinMs;
    ahead.set(session, (ahead.get(child) ?? 0) + (measured ? skewMs : 0));
  }
  return ahead;
}

function timed(
  ordered: readonly Item[],
  known: {
    readonly causes: CausesOf<Item>;
    readonly ahead: ReadonlyMap<string, number>;
    readonly hops: ReadonlyMap<string, number>;
  },
): readonly StoryEntry[] {
  const timeOf = ({ record, session }: Item): number =>
    filedTime(record.head.time) - (known.ahead.get(session) ?? 0);
  const start = ordered[0] === undefined ? 0 : timeOf(ordered[0]);
  return ordered.map((item) => {
    const caused = [...(known.causes.get(item) ?? [])].map(timeOf);
    const time = timeOf(item);
    return {
      record: item.record,
      step: item.step,
      hop: known.hops.get(item.session) ?? 0,
      at: time - start,
      took: time - (caused.length === 0 ? start : Math.max(...caused)),
    };
  });
}
