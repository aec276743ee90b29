import type { RequestOutcome } from "../src/ask/outcome.ts";
import { textIn } from "../src/audit/read-record.ts";
import type { Story } from "../src/audit/story.ts";
import { type Entry, type Expectation, IMPLIED, PATHS, pathOf } from "./paths.ts";

/** The names of the records that a request left on each node, in order. */
export interface Trace {
  readonly child: readonly string[];
  readonly parent: readonly string[];
}

/** The trace of a story, as the session that asked and all others. */
export function traceOf(story: Story, child: string): Trace {
  const names = (own: boolean): readonly string[] =>
    story.entries
      .filter(({ record }) => (record.head.session === child) === own)
      .map(({ record }) => textIn(record, "event") ?? record.head.kind);
  return { child: names(true), parent: names(false) };
}

/** What a request's trace lacks of what its path leaves, as sentences; empty when it is complete. */
export function traceFaults(request: RequestOutcome, trace: Trace): readonly string[] {
  const path = pathOf(request);
  if (path === null) return ["took a path that no expectation is written down for"];
  const faults = missing(PATHS[path], trace).map((entry) => `${path}, lacks ${entry}`);
  for (const { on, entry, needs } of IMPLIED) {
    if (!trace[on].includes(entry)) continue;
    faults.push(...missing(needs, trace).map((lacked) => `has ${entry} (${on}), lacks ${lacked}`));
  }
  for (const node of NODES) {
    const decisions = trace[node].filter((entry) => entry === "decision").length;
    if (decisions > 1) faults.push(`has ${String(decisions)} decisions of the ${node}`);
  }
  return [...new Set(faults)];
}

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
