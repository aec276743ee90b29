/** What a rule does: an action, or a deny that says why (at most 500 characters). */
export type PermissionAction =
  | "allow"
  | "ask"
  | "deny"
  | { readonly action: "deny"; readonly reason: string };

/** Rules of one surface: one action for all, or patterns in the order of the file. */
export type PermissionEntry = PermissionAction | ReadonlyMap<string, PermissionAction>;

/** A `permission` map: surfaces in the order of the file, also where a key looks like a number. */
export type PermissionMap = ReadonlyMap<string, PermissionEntry>;

/** A scope that configuration can come from. */
export type PermissionScope = "global" | "project" | "agent" | "project-agent";

/** Everything a policy is composed of. */
export interface PolicySources {
  readonly global?: PermissionMap;
  readonly project?: PermissionMap;
  readonly agents?: ReadonlyMap<string, PermissionMap>;
  readonly projectAgents?: ReadonlyMap<string, PermissionMap>;
  /** Scopes that are there but invalid: they give no rules, and any but `global` turns every allow into ask. */
  readonly invalid?: readonly PermissionScope[];
  readonly yolo?: boolean;
}
