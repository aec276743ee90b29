import type { ForwardedAccessFacts } from "../../src/ask/facts.ts";
import type { Grant } from "../../src/ask/grant.ts";
import { composePolicy } from "../../src/policy/compose-policy.ts";
import { parsePermissionMap } from "../../src/policy/parse-permission-map.ts";
import type { Policy } from "../../src/policy/policy.ts";
import type { PermissionMap, PolicySources } from "../../src/policy/sources.ts";

/** Rules as a configuration file writes them; a mistake in them is a mistake of the test. */
export function rules(permission: object): PermissionMap {
  const parsed = parsePermissionMap(permission);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.permission;
}

/** A policy of `/home/ann` on Linux. */
export function aPolicy(
  sources: PolicySources,
  context: { home?: string; platform?: NodeJS.Platform } = {},
): Policy {
  return composePolicy(sources, { home: "/home/ann", platform: "linux", ...context });
}

/** A policy with global rules only. */
export function globally(permission: object): Policy {
  return aPolicy({ global: rules(permission) });
}

/** The facts of one thing known by these names. */
export function factsOn(surface: string, ...matchValues: readonly string[]): ForwardedAccessFacts {
  return { surface, matchValues, boundaryValue: null };
}

/** The facts of a shell command that is one unit. */
export function commandFacts(
  command: string,
  parts: Partial<ForwardedAccessFacts> & { readonly floor?: string | null } = {},
): ForwardedAccessFacts {
  const { floor = null, ...rest } = parts;
  const units = [{ value: command, floor, context: null }];
  return { surface: "bash", matchValues: [command], boundaryValue: null, units, ...rest };
}

/** A grant in force. */
export function aGrant(surface: string, pattern: string, parts: Partial<Grant> = {}): Grant {
  return {
    surface,
    pattern,
    grantId: "grant-1",
    requestId: "perm-1",
    width: "proven",
    scope: "child_session",
    grantedBy: null,
    grantedAt: 0,
    expiresAt: Number.MAX_SAFE_INTEGER,
    uses: 0,
    ...parts,
  };
}
