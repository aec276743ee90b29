import type { PermissionAction, PermissionEntry, PermissionMap } from "./sources.ts";

/** One thing wrong with a `permission` map. */
export interface PermissionIssue {
  /** Keys from the map down to the place, outermost first; empty for the map itself. */
  readonly path: readonly string[];
  /** Names the value that was given and what may stand there. */
  readonly message: string;
}

/** A checked `permission` map, or everything that is wrong with it. */
export type ParsedPermission =
  | { readonly ok: true; readonly permission: PermissionMap }
  | { readonly ok: false; readonly issues: readonly PermissionIssue[] };

/** Longest reason of a deny, in characters. */
export const MAX_REASON_LENGTH = 500;

const ALLOWED = '"allow", "ask", "deny" or {"action": "deny", "reason": TEXT}';

/**
 * Checks a `permission` map: plain objects or Maps, in their own order. Only own keys count, so a name like
 * `__proto__` is a name like any other. All problems are reported together. Never throws.
 */
export function parsePermissionMap(value: unknown): ParsedPermission {
  const issues: PermissionIssue[] = [];
  const entries = entriesOf(value);
  if (entries === null) {
    const message = `${shown(value)} is not an object of surfaces and their rules`;
    return { ok: false, issues: [{ path: [], message }] };
  }
  const permission = new Map<string, PermissionEntry>();
  for (const [surface, given] of entries) {
    checkName(surface, [surface], issues);
    if (surface === "")
      issues.push({ path: [surface], message: '"" is not a surface: it is empty' });
    const entry = readEntry(given, surface, issues);
    if (entry !== null) permission.set(surface, entry);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, permission };
}

function readEntry(
  given: unknown,
  surface: string,
  issues: PermissionIssue[],
): PermissionEntry | null {
  const entries = entriesOf(given);
  if (entries === null || isAction(entries)) return readAction(given, [surface], issues);
  const rules = new Map<string, PermissionAction>();
  for (const [pattern, action] of entries) {
    checkName(pattern, [surface, pattern], issues);
    const read = readAction(action, [surface, pattern], issues);
    if (read !== null) rules.set(pattern, read);
  }
  return rules;
}

function readAction(
  given: unknown,
  path: readonly string[],
  issues: PermissionIssue[],
): PermissionAction | null {
  if (given === "allow" || given === "ask" || given === "deny") return given;
  const entries = entriesOf(given);
  if (entries === null) {
    issues.push({ path, message: `${shown(given)} is not an action: use ${ALLOWED}` });
    return null;
  }
  const fields = new Map(entries);
  const reason = fields.get("reason");
  const problem = reasonedDenyProblem(fields);
  if (problem === null && typeof reason === "string") return { action: "deny", reason };
  issues.push({ path, message: `${shown(given)}: ${problem ?? "reason is not a text"}` });
  return null;
}

function reasonedDenyProblem(fields: ReadonlyMap<string, unknown>): string | null {
  const unknown = [...fields.keys()].filter((key) => key !== "action" && key !== "reason");
  if (unknown.length > 0) {
    return `${unknown.map(shown).join(", ")} is not known here: use ${ALLOWED}`;
  }
  if (fields.get("action") !== "deny") return `only "deny" takes a reason: use ${ALLOWED}`;
  const reason = fields.get("reason");
  if (typeof reason !== "string" || reason === "")
    return "a reason of 1 to 500 characters is missing";
  if (!reason.isWellFormed()) return "the reason is not well-formed text";
  const length = Array.from(reason).length;
  return length > MAX_REASON_LENGTH
    ? `the reason has ${length} characters; at most ${MAX_REASON_LENGTH} are allowed`
    : null;
}

/** An object with an action of its own is one action; else its keys are patterns. */
function isAction(entries: readonly (readonly [string, unknown])[]): boolean {
  const keys = entries.map(([key]) => key);
  return keys.includes("action") && keys.every((key) => key === "action" || key === "reason");
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (value instanceof Map) {
    return [...(value as ReadonlyMap<unknown, unknown>)].map(([key, item]) => [String(key), item]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.entries(value);
}

function checkName(name: string, path: readonly string[], issues: PermissionIssue[]): void {
  if (name.isWellFormed()) return;
  issues.push({ path, message: `${shown(name)} is not well-formed text` });
}

function shown(value: unknown): string {
  let text: string;
  try {
    text = String(JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value));
  } catch {
    text = "a value that JSON cannot hold";
  }
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
