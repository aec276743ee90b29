import fc from "fast-check";
import type { ForwardedAccessFacts, ForwardedAccessIntent } from "../../src/ask/facts.ts";
import type { Grant } from "../../src/ask/grant.ts";
import type { PermissionAction, PermissionMap, PolicySources } from "../../src/policy/sources.ts";
import { aGrant } from "./rules.ts";

const letters = fc.constantFrom("a", "b", " ", "\u{1f980}", "/", "\n");
/** Texts that patterns are matched against. */
export const values = fc.string({ unit: letters, maxLength: 12 });
/** Patterns of rules. */
export const patterns = fc.string({
  unit: fc.oneof(letters, fc.constantFrom("*", "?", "**", " *")),
  maxLength: 10,
});

const surfaces = fc.constantFrom("bash", "mcp", "path", "path_read", "path_write", "read", "crm");
/** What a rule may do. */
export const actions = fc.constantFrom<PermissionAction>("allow", "ask", "deny", {
  action: "deny",
  reason: "because",
});
const permissions: fc.Arbitrary<PermissionMap> = fc
  .array(
    fc.tuple(
      fc.oneof(surfaces, fc.constantFrom("*", "pa*", "__proto__")),
      fc.oneof(
        actions,
        fc.array(fc.tuple(patterns, actions), { maxLength: 5 }).map((list) => new Map(list)),
      ),
    ),
    { maxLength: 5 },
  )
  .map((list) => new Map(list));
const agents = fc
  .array(fc.tuple(fc.constantFrom("mason", "joiner", "__proto__"), permissions), { maxLength: 2 })
  .map((list) => new Map(list));
/** Configurations of every scope and overlay. */
export const sources: fc.Arbitrary<PolicySources> = fc.record(
  {
    global: permissions,
    project: permissions,
    agents,
    projectAgents: agents,
    invalid: fc.subarray(["global", "project", "agent", "project-agent"] as const),
    yolo: fc.boolean(),
  },
  { requiredKeys: [] },
);

const anyText = fc.oneof(values, fc.string({ unit: "binary", maxLength: 20 }));
const commands = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      " ",
      "rm x",
      "sudo ",
      "&& ",
      "; ",
      "$(",
      ")",
      "'",
      '"',
      "\\",
      "\n",
      "# ",
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));
const units = fc.array(
  fc.record({
    value: fc.oneof(commands, anyText),
    floor: fc.constantFrom(null, "<opaque-bash-wrapper>", "<incomplete-facts>", "<newer>"),
    context: fc.constantFrom(null, "subshell" as const),
  }),
  { maxLength: 4 },
);
const paths = fc.array(
  fc.record({
    surface: fc.oneof(surfaces, anyText),
    matchValues: fc.array(anyText, { maxLength: 3 }),
    boundaryValue: fc.option(anyText),
  }),
  { maxLength: 3 },
);
/** Facts of asks, honest and not. */
export const facts: fc.Arbitrary<ForwardedAccessFacts> = fc.record(
  {
    surface: fc.oneof(surfaces, anyText),
    matchValues: fc.array(fc.oneof(commands, anyText), { maxLength: 3 }),
    boundaryValue: fc.option(anyText),
    units,
    paths,
  },
  { requiredKeys: ["surface", "matchValues", "boundaryValue"] },
);
/** Grants in force. */
export const grants: fc.Arbitrary<readonly Grant[]> = fc.array(
  fc
    .tuple(surfaces, patterns, fc.constantFrom("proven" as const, "family" as const))
    .map(([surface, pattern, width]) => aGrant(surface, pattern, { width })),
  { maxLength: 3 },
);
/** Names of agents. */
export const names = fc.constantFrom("mason", "joiner", "__proto__", "nobody");

/** The facts as an agent of a child states them. */
export function intentOf(given: ForwardedAccessFacts, agentName: string): ForwardedAccessIntent {
  return { ...given, requesterCwd: "/srv", principal: { sessionId: "kid-1", agentName } };
}
