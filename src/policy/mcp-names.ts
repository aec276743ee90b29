import { compileRulePattern, type PolicyContext } from "./pattern.ts";
import { MCP_SURFACE, type Target } from "./surfaces.ts";
import { subjectOf } from "./wildcard.ts";

/** The server and the tool of an MCP call, told apart. */
interface McpNames {
  readonly server: string;
  readonly tool: string;
}

/** Spellings that another alias has but for one colon: tools of several servers share them. */
export function ambiguousOf({ surface, values }: Target): ReadonlySet<string> {
  if (surface !== MCP_SURFACE) return NONE;
  return new Set(values.filter((value) => values.some((other) => lostColon(other, value) >= 0)));
}

const NONE: ReadonlySet<string> = new Set();

/** The place of the one colon that a spelling has an underscore for; -1 when that is not the difference. */
function lostColon(qualified: string, value: string): number {
  if (qualified.length !== value.length) return -1;
  let at = 0;
  while (at < value.length && qualified[at] === value[at]) at += 1;
  const isLost =
    qualified[at] === ":" && value[at] === "_" && qualified.slice(at + 1) === value.slice(at + 1);
  return isLost ? at : -1;
}

/**
 * Says whether an allow that matches a target means it. `a:b:c` can be a tool of server `a` or of server `a:b`: a
 * pattern with a colon means the server before its last one and the tool behind it, as they are told apart.
 */
export function meansTarget(pattern: string, target: Target, context: PolicyContext): boolean {
  const colon = pattern.lastIndexOf(":");
  if (target.surface !== MCP_SURFACE || colon < 0) return true;
  const names = namesIn(target.values);
  if (names === null) return !target.values.some((value) => value.split(":").length > 2);
  const matches = (part: string, name: string): boolean =>
    compileRulePattern(part, context)(false)(subjectOf(name));
  return (
    !isClashing(names) ||
    (matches(pattern.slice(0, colon), names.server) &&
      matches(pattern.slice(colon + 1), names.tool))
  );
}

function isClashing({ server, tool }: McpNames): boolean {
  return `${server}${tool}`.includes(":");
}

/** The names of a call, told apart by the spelling that lost their colon; null when there is none. */
function namesIn(values: readonly string[]): McpNames | null {
  for (const value of values) {
    const colon = Math.max(...values.map((other) => lostColon(value, other)));
    if (colon < 0) continue;
    return { server: value.slice(0, colon), tool: value.slice(colon + 1) };
  }
  return null;
}
