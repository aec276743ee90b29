import { dirname } from "node:path";
import type { GateContext, ShellFields } from "../gates/context.ts";
import { listFolder } from "../gates/list-folder.ts";
import { compileRulePattern, expandHome, foldsOn, subjectsOf } from "../policy/pattern.ts";
import type { ChildOptions } from "./child.ts";

/** The options that say what the machine of a child knows about a call. */
export type GateOptions = Pick<
  ChildOptions,
  | "home"
  | "platform"
  | "shellTools"
  | "toolPaths"
  | "extractPaths"
  | "infrastructureReadPaths"
  | "skills"
>;

/** What the gates of a child know of its machine; `realpath` answers where a path really leads. */
export function gateContextOf(
  options: GateOptions,
  realpath: GateContext["realpath"],
): GateContext {
  const { home, shellTools, toolPaths, extractPaths, skills } = options;
  const platform = options.platform ?? process.platform;
  const machine = { home, platform };
  const own = (options.infrastructureReadPaths ?? []).map((path) => expandHome(path, machine));
  const folders = own.filter((path) => !isPattern(path));
  const patterns = own.filter(isPattern).map((path) => {
    const matches = compileRulePattern(realHead(path, realpath), machine);
    const folds = foldsOn(INFRASTRUCTURE, platform);
    return (canonical: string) => subjectsOf([canonical], folds).some(matches(folds));
  });
  return {
    ...machine,
    realpath,
    list: listFolder,
    infrastructureReadPaths: folders,
    isInfrastructure: (canonical) => patterns.some((matches) => matches(canonical)),
    ...(shellTools === undefined ? {} : { shellTools: byName(shellTools) }),
    ...(toolPaths === undefined ? {} : { toolPaths }),
    ...(extractPaths === undefined ? {} : { extractPaths }),
    ...(skills === undefined ? {} : { skills }),
  };
}

/** The surface by whose rules of case and separators such a pattern is matched. */
const INFRASTRUCTURE = "external_directory_read";

function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/** Paths are matched in their canonical form, so the part of a pattern before its first wildcard must be too. */
function realHead(pattern: string, realpath: GateContext["realpath"]): string {
  const literal = pattern.slice(0, pattern.search(/[*?]/));
  const folder = /[\\/]$/.test(literal) ? literal.slice(0, -1) : dirname(literal);
  return folder === "" || folder === "."
    ? pattern
    : realpath(folder) + pattern.slice(folder.length);
}

function byName(
  tools: readonly string[] | ReadonlyMap<string, ShellFields>,
): ReadonlyMap<string, ShellFields> {
  return tools instanceof Map
    ? (tools as ReadonlyMap<string, ShellFields>)
    : new Map((tools as readonly string[]).map((name) => [name, { commandArgument: "command" }]));
}
