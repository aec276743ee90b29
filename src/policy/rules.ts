import type { RuleAction } from "../ask/verdict.ts";
import type { PolicyContext } from "./pattern.ts";
import { type Rule, ruleOf } from "./rule.ts";
import { indexRules, type RuleIndex } from "./rule-index.ts";
import type { PermissionAction, PermissionMap, PermissionScope, PolicySources } from "./sources.ts";
import { familyOf, MCP_SURFACE } from "./surfaces.ts";
import { compilePattern, subjectOf } from "./wildcard.ts";

/** What holds where no rule matches. */
export type Fallback = Pick<Rule, "action" | "reason" | "origin">;

/** The rules that hold for one agent, or for none. */
export interface RuleSet {
  /** The agent it holds for; null: everybody. */
  readonly agent: string | null;
  /** The rules that concern a surface. */
  rulesFor(surface: string): RuleIndex;
  readonly fallback: Fallback;
}

const BASELINE = ["mcp_status", "mcp_list", "mcp_search", "mcp_describe", "mcp_connect"];

/** Surfaces whose rules are remembered; asks name surfaces, so their number is not ours. */
const REMEMBERED_SURFACES = 256;

const UNIVERSAL = "*";

/** Orders the rules that hold for an agent name; null: only the rules that hold for everybody. */
export type Composer = (agent: string | null) => RuleSet;

/** Prepares the composing of rules; what all agents share is compiled once. */
export function ruleComposer(sources: PolicySources, context: PolicyContext): Composer {
  const scopeOf = (name: PermissionScope, map: PermissionMap | undefined): readonly Scope[] =>
    map === undefined || sources.invalid?.includes(name)
      ? []
      : [{ name, map, rules: rulesOf(map, name, context) }];
  const shared = [...scopeOf("global", sources.global), ...scopeOf("project", sources.project)];
  return (agent) => {
    const own =
      agent === null
        ? []
        : [
            ...scopeOf("agent", sources.agents?.get(agent)),
            ...scopeOf("project-agent", sources.projectAgents?.get(agent)),
          ];
    const scopes = [...shared, ...own];
    const configured = scopes.flatMap((scope) => scope.rules);
    const rules = [...baselineOf(configured, context), ...configured];
    return { agent, rulesFor: remembering(rules), fallback: fallbackOf(scopes) };
  };
}

/** One scope of the configuration that is there and valid. */
interface Scope {
  readonly name: PermissionScope;
  readonly map: PermissionMap;
  readonly rules: readonly Rule[];
}

function rulesOf(map: PermissionMap, origin: PermissionScope, context: PolicyContext): Rule[] {
  return [...map].flatMap(([surface, entry]) => {
    if (entry instanceof Map) {
      return [...(entry as ReadonlyMap<string, PermissionAction>)].map(([pattern, action]) =>
        ruleOf({ surface, pattern, origin, ...readAction(action) }, context),
      );
    }
    if (surface === UNIVERSAL) return [];
    const action = readAction(entry as PermissionAction);
    return [ruleOf({ surface, pattern: "*", origin, ...action }, context)];
  });
}

function readAction(action: PermissionAction): { action: RuleAction; reason: string | null } {
  return typeof action === "string"
    ? { action, reason: null }
    : { action: action.action, reason: action.reason };
}

function baselineOf(configured: readonly Rule[], context: PolicyContext): Rule[] {
  const mcp = subjectOf(MCP_SURFACE);
  const anyAllows = configured.some(
    ({ surface, action }) =>
      action === "allow" && surface !== UNIVERSAL && compilePattern(surface)(mcp),
  );
  if (!anyAllows) return [];
  return BASELINE.map((pattern) =>
    ruleOf(
      { surface: MCP_SURFACE, pattern, action: "allow", reason: null, origin: "baseline" },
      context,
    ),
  );
}

function fallbackOf(scopes: readonly Scope[]): Fallback {
  for (const { name: origin, map } of scopes.toReversed()) {
    const entry = map.get(UNIVERSAL);
    if (entry === undefined || entry instanceof Map) continue;
    return { ...readAction(entry as PermissionAction), origin };
  }
  return { action: "ask", reason: null, origin: "builtin" };
}

function remembering(rules: readonly Rule[]): RuleSet["rulesFor"] {
  const known = new Map<string, RuleIndex>();
  const surfaces = new Map(rules.map(({ surface }) => [surface, compilePattern(surface)] as const));
  return (surface) => {
    const remembered = known.get(surface);
    if (remembered !== undefined) return remembered;
    const names = [surface, familyOf(surface) ?? surface].map(subjectOf);
    const concerned = new Set(
      [...surfaces].filter(([, matches]) => names.some(matches)).map(([name]) => name),
    );
    const found = indexRules(rules.filter((rule) => concerned.has(rule.surface)));
    if (known.size >= REMEMBERED_SURFACES) known.clear();
    known.set(surface, found);
    return found;
  };
}
