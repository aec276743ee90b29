import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { ChildOptions } from "./child.ts";
import type { ChildSelf } from "./parts.ts";

/** The options of a child with their defaults. */
export interface ChildSettings {
  readonly self: ChildSelf;
  readonly lifeMs: number;
  readonly graceMs: number;
}

/**
 * Checks what a child is opened with.
 *
 * @throws RangeError naming every option that is out of its range, with its value.
 * @throws TypeError when a session's name holds half a surrogate pair.
 */
export function childSettings(options: ChildOptions): ChildSettings {
  const { session, parent, agentName, host } = options;
  const others = othersOf(options);
  const lifeMs = options.forwardingTimeoutMs ?? 600_000;
  const graceMs = options.unservedGraceMs ?? 2_000;
  const faults = [
    ...(session === "" ? ["session must not be empty"] : []),
    ...(parent === "" ? ["parent must be a session or null, not empty"] : []),
    ...emptyFault(others),
    ...rangeFault("forwardingTimeoutMs", lifeMs, 1_000),
    ...rangeFault("unservedGraceMs", graceMs, 0),
  ];
  if (faults.length > 0) throw new RangeError(`The child cannot be opened: ${faults.join("; ")}.`);
  sessionToken(session);
  if (parent !== null) sessionToken(parent);
  for (const other of others) sessionToken(other);
  const named = agentName !== undefined && agentName !== "" && agentName !== "unknown";
  return {
    self: { session, parent, others, agentName: named ? agentName : null, host: host ?? null },
    lifeMs: Math.ceil(lifeMs),
    graceMs,
  };
}

/** Each once, without the first parent and the session itself. */
function othersOf({ otherParents = [], parent, session }: ChildOptions): readonly string[] {
  return [...new Set(otherParents)].filter((other) => other !== parent && other !== session);
}

/**
 * The life of one call's asks, in whole milliseconds.
 *
 * @throws RangeError when it is out of its range.
 */
export function callLifeMs(given: number | undefined, lifeMs: number): number {
  if (given === undefined) return lifeMs;
  const faults = rangeFault("timeoutMs", given, 1);
  if (faults.length > 0) throw new RangeError(faults.join("; "));
  return Math.ceil(given);
}

function emptyFault(others: readonly string[]): readonly string[] {
  return others.includes("") ? ["otherParents must name sessions, none empty"] : [];
}

function rangeFault(name: string, value: number, least: number): readonly string[] {
  if (Number.isFinite(value) && value >= least && value <= MAX_ASK_LIFE_MS) return [];
  return [`${name} is ${String(value)} and must be from ${least} to ${MAX_ASK_LIFE_MS}`];
}
