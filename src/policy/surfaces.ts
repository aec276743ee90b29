/** The surface shell commands are judged on, whatever the shell's tool is called. */
export const SHELL_SURFACE = "bash";

/** The surface MCP calls are judged on. */
export const MCP_SURFACE = "mcp";

/** One surface and the names under which a call is known on it. */
export interface Target {
  readonly surface: string;
  readonly values: readonly string[];
}

const FAMILIES = ["path", "external_directory"] as const;

const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  FAMILIES.map((family) => [family, [`${family}_read`, `${family}_write`]]),
);

const FAMILY_OF: ReadonlyMap<string, string> = new Map(
  [...MEMBERS].flatMap(([family, members]) => members.map((member) => [member, family] as const)),
);

/** Tools whose match values are paths. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["read", "write", "edit", "grep", "find", "ls"]);

/** The surfaces a query on `surface` is folded from: both directions of a bare family, else itself. */
export function membersOf(surface: string): readonly string[] {
  return MEMBERS.get(surface) ?? [surface];
}

/** The bare family name of a directed path surface, or null for every other surface. */
export function familyOf(surface: string): string | null {
  return FAMILY_OF.get(surface) ?? null;
}

/** Says whether a surface is about leaving the working directory. */
export function isExternal(surface: string): boolean {
  return (FAMILY_OF.get(surface) ?? surface) === "external_directory";
}

/** Says whether a surface is matched by paths, so that Windows folds case and separators on it. */
export function isPathSurface(surface: string): boolean {
  return MEMBERS.has(surface) || FAMILY_OF.has(surface) || FILE_TOOLS.has(surface);
}
