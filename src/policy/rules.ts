import type { RuleAction, RuleOrigin } from "../ask/verdict.ts";
import { compileRulePattern, type PolicyContext } from "./pattern.ts";
import type { PermissionAction, PermissionMap, PermissionScope, PolicySources } from "./sources.ts";
import { familyOf, MCP_SURFACE } from "./surfaces.ts";
import { compilePattern, type Matcher, subjectOf } from "./wildcard.ts";

/** One rule, ready to match. */
export interface Rule {
  /** As the configuration writes it; a pattern too. */
  readonly surface: string;
  /** As the configuration writes it. */
  readonly pattern: string;
  readonly action: RuleAction;
  readonly reason: string | null;
  readonly origin: RuleOrigin;
  /** The compiled pattern, for a surface that folds or does not. */
  readonly matcher: (folds: boolean) => Matcher;
}

/** What holds where no rule matches. */
export type Fallback = Pick<Rule, "action" | "reason" | "origin">;

/** The rules that hold for one agent, or for none. */
export interface RuleSet {
  /** Rules that concern a surface, from lowest to highest; a later one wins. */
  rulesFor(surface: string): readonly Rule[];
  readonly fallback: Fallback;
}

const BASELINE = ["mcp_status", "mcp_list", "mcp_search", "mcp_describe", "mcp_connect"];

/** Surfaces whose rules are remembered; asks name surfaces, so their number is not ours. */
const REMEMBERED_SURFACES = 256;

const UNIVERSAL = "*";

/** Orders the rules that hold for an agent name; null: only the rules that hold for everybody. */
export function composeRules(
  sources: PolicySources,
  context: PolicyContext,
  agent: string | null,
): RuleSet {
  const scopes = scopesOf(sources, agent);
  const configured = scopes.flatMap(([scope, map]) => rulesOf(map, scope, context));
  const rules = [...baselineOf(configured, context), ...configured];
  return { rulesFor: remembering(rules), fallback: fallbackOf(scopes) };
}

function scopesOf(
  sources: PolicySources,
  agent: string | null,
): [PermissionScope, PermissionMap][] {
  const maps: [PermissionScope, PermissionMap | undefined][] = [
    ["global", sources.global],
    ["project", sources.project],
    ["agent", agent === null ? undefined : sources.agents?.get(agent)],
    ["project-agent", agent === null ? undefined : sources.projectAgents?.get(agent)],
  ];
  return maps.flatMap(([scope, map]) =>
    map === undefined || sources.invalid?.includes(scope) ? [] : [[scope, map]],
  );
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

function ruleOf(rule: Omit<Rule, "matcher">, context: PolicyContext): Rule {
  return { ...rule, matcher: compileRulePattern(rule.pattern, context) };
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

function fallbackOf(scopes: readonly [PermissionScope, PermissionMap][]): Fallback {
  for (const [origin, map] of scopes.toReversed()) {
    const entry = map.get(UNIVERSAL);
    if (entry === undefined || entry instanceof Map) continue;
    return { ...readAction(entry as PermissionAction), origin };
  }
  return { action: "ask", reason: null, origin: "builtin" };
}

function remembering(rules: readonly Rule[]): (surface: string) => readonly Rule[] {
  const known = new Map<string, readonly Rule[]>();
  const surfaces = new Map(rules.map(({ surface }) => [surface, compilePattern(surface)] as const));
  return (surface) => {
    const remembered = known.get(surface);
    if (remembered !== undefined) return remembered;
    const names = [surface, familyOf(surface) ?? surface].map(subjectOf);
    const concerned = new Set(
      [...surfaces].filter(([, matches]) => names.some(matches)).map(([name]) => name),
    );
    const found = rules.filter((rule) => concerned.has(rule.surface));
    if (known.size >= REMEMBERED_SURFACES) known.clear();
    known.set(surface, found);
    return found;
  };
}
