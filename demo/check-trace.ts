import type { RequestOutcome } from "../src/ask/outcome.ts";
import { textIn } from "../src/audit/read-record.ts";
import type { Story } from "../src/audit/story.ts";
import { type Entry, type Expectation, IMPLIED, PATHS, pathOf } from "./paths.ts";

/** The names of the records that a request left on each node, in order. */
export interface Trace {
  readonly child: readonly string[];
  /** Null when nothing of the request passed a relay. */
  readonly relay: readonly string[] | null;
  readonly parent: readonly string[];
}

/** The trace of a story, as the session that asked, the one that relayed, and the one that decided. */
export function traceOf(story: Story, child: string, relay: string): Trace {
  const names = (isOf: (session: string) => boolean): readonly string[] =>
    story.entries
      .filter(({ record }) => isOf(record.head.session))
      .map(({ record }) => textIn(record, "event") ?? record.head.kind);
  const relayed = names((session) => session === relay);
  return {
    child: names((session) => session === child),
    relay: relayed.length === 0 ? null : relayed,
    parent: names((session) => session !== child && session !== relay),
  };
}

/** What a request's trace lacks of what its path leaves, as sentences; empty when it is complete. */
export function traceFaults(request: RequestOutcome, trace: Trace): readonly string[] {
  const path = pathOf(request);
  if (path === null) return ["took a path that no expectation is written down for"];
  const near = trace.relay === null ? trace : { ...trace, parent: trace.relay };
  // What ends at the relay leaves nothing further up.
  const faults = missing(PATHS[path], trace.parent.length === 0 ? near : trace).map(
    (entry) => `${path}, lacks ${entry}`,
  );
  for (const { on, entry, needs } of IMPLIED) {
    if (!trace[on].includes(entry)) continue;
    const lacks = missing(needs, on === "child" ? near : trace);
    faults.push(...lacks.map((lacked) => `has ${entry} (${on}), lacks ${lacked}`));
  }
  if (trace.relay !== null) {
    const lacks = RELAYED.filter((entry) => !trace.relay?.includes(entry));
    faults.push(...lacks.map((entry) => `was relayed, lacks ${entry} (relay)`));
  }
  for (const node of ["child", "relay", "parent"] as const) {
    const decisions = (trace[node] ?? []).filter((entry) => entry === "decision").length;
    if (decisions > 1) faults.push(`has ${String(decisions)} decisions of the ${node}`);
  }
  return [...new Set(faults)];
}

/** What a request leaves at a session that has no rule about it and asks another one. */
const RELAYED = [
  "forwarded_permission.accepted",
  "forwarded_permission.request_created",
  "decision",
] as const;

const NODES = ["child", "parent"] as const;

function missing(expected: Expectation, trace: Trace): readonly string[] {
  return NODES.flatMap((node) =>
    expected[node]
      .filter((entry) => !namesOf(entry).some((name) => trace[node].includes(name)))
      .map((entry) => `${namesOf(entry).join(" or ")} (${node})`),
  );
}

function namesOf(entry: Entry): readonly string[] {
  return typeof entry === "string" ? [entry] : entry;
}
