import type { Grant, GrantPattern } from "../../../src/ask/grant.ts";
import { parsePermissionMap } from "../../../src/policy/parse-permission-map.ts";
import type { PermissionMap, PermissionScope, PolicySources } from "../../../src/policy/sources.ts";

/** A policy configuration as the cases write it. */
export interface CaseConfig {
  readonly global?: unknown;
  readonly project?: unknown;
  readonly agents?: Readonly<Record<string, unknown>>;
  readonly projectAgents?: Readonly<Record<string, unknown>>;
  readonly invalid?: readonly PermissionScope[];
  readonly yolo?: boolean;
}

/** Reads a case's configuration the way configuration files are read. */
export function sourcesOf(config: CaseConfig): PolicySources {
  const { global, project, agents, projectAgents, invalid, yolo } = config;
  return {
    ...(global !== undefined && { global: permissionOf(global) }),
    ...(project !== undefined && { project: permissionOf(project) }),
    ...(agents !== undefined && { agents: agentsOf(agents) }),
    ...(projectAgents !== undefined && { projectAgents: agentsOf(projectAgents) }),
    ...(invalid !== undefined && { invalid }),
    ...(yolo !== undefined && { yolo }),
  };
}

/** Grants in force, as the cases write them. */
export function grantsOf(session: readonly GrantPattern[] = []): readonly Grant[] {
  return session.map(({ surface, pattern }, i) => ({
    surface,
    pattern,
    grantId: `grant-${i}`,
    requestId: `perm-${i}`,
    width: "proven",
    scope: "child_session",
    grantedBy: null,
    grantedAt: 0,
    expiresAt: Number.MAX_SAFE_INTEGER,
    uses: 0,
  }));
}

function agentsOf(agents: Readonly<Record<string, unknown>>): ReadonlyMap<string, PermissionMap> {
  return new Map(
    Object.entries(agents).map(([name, permission]) => [name, permissionOf(permission)]),
  );
}

function permissionOf(value: unknown): PermissionMap {
  const parsed = parsePermissionMap(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.permission;
}
