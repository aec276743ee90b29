import type { PermissionScope, PolicySources } from "../policy/sources.ts";
import { CONFIG_SOURCES, type ConfigIssue, type ConfigSource, pathOf } from "./issues.ts";
import { DEFAULT_OPTIONS, type Options } from "./options.ts";
import { type ConfigFile, type FileContent, readConfigFile } from "./read-config-file.ts";
import { type Environment, readEnvironment } from "./read-environment.ts";
import { type Flags, readFlags } from "./read-flags.ts";

/** Everything options can come from; what is absent is not there. */
export interface ConfigSources {
  readonly flags?: Flags;
  readonly env?: Environment;
  /** Counts only when `trusted`; otherwise it is neither applied nor reported. */
  readonly project?: FileContent & { readonly trusted: boolean };
  readonly user?: FileContent;
}

/** Configuration compiled to frozen options. */
export interface CompiledConfig {
  /** False when a file, a flag or a variable was rejected. */
  readonly ok: boolean;
  /** The effective options, in either case. */
  readonly options: Options;
  /** What gave each option its value. */
  readonly origins: Readonly<Record<keyof Options, ConfigSource | "default">>;
  /** The rules of every scope, and the scopes that are there but invalid. */
  readonly scopes: Omit<PolicySources, "yolo">;
  /** Every problem of every source, in the order flags, environment, project, user. */
  readonly issues: readonly ConfigIssue[];
}

/**
 * Compiles all sources: flag over environment over trusted project file over user file over default. A file with
 * any fault is rejected whole; a faulty flag or variable by itself. Nothing is corrected silently. Never throws.
 */
export function compileConfig(sources: ConfigSources): CompiledConfig {
  const project =
    sources.project?.trusted === true ? readConfigFile("project", sources.project) : undefined;
  const user = sources.user === undefined ? undefined : readConfigFile("user", sources.user);
  const layers = {
    flags: readFlags(sources.flags ?? {}),
    env: readEnvironment(sources.env ?? {}),
    project: project ?? nothing,
    user: user ?? nothing,
  };
  const issues = CONFIG_SOURCES.flatMap((source) => [...layers[source].issues]);
  const options: Record<string, unknown> = { ...DEFAULT_OPTIONS };
  const origins: Record<string, ConfigSource | "default"> = Object.fromEntries(
    Object.keys(DEFAULT_OPTIONS).map((name) => [name, "default"]),
  );
  for (const source of CONFIG_SOURCES.toReversed()) {
    for (const [name, value] of Object.entries(layers[source].options)) {
      options[name] = value;
      origins[name] = source;
    }
  }
  issues.push(...unusedPaths(options as unknown as Options, origins["toolPaths"]));
  return Object.freeze({
    ok: !issues.some((issue) => issue.rejects),
    options: Object.freeze(options) as unknown as Options,
    origins: Object.freeze(origins) as CompiledConfig["origins"],
    scopes: Object.freeze(scopesOf(user, project)),
    issues: Object.freeze(issues),
  });
}

/** A shell is judged by its command: fields that `toolPaths` names for it count for nothing. */
function unusedPaths(
  { shellTools, toolPaths }: Options,
  origin: ConfigSource | "default" | undefined,
): readonly ConfigIssue[] {
  if (origin === undefined || origin === "default") return [];
  const shells = [...toolPaths.keys()].filter((name) => name === "bash" || shellTools.has(name));
  return shells.map((name) => ({
    source: origin,
    path: pathOf(["toolPaths", name]),
    message: `${pathOf(["toolPaths", name])} has no effect, for the tool is a shell, which is judged by its command; remove it here or from shellTools`,
    rejects: false,
  }));
}

const nothing: Pick<ConfigFile, "options" | "issues"> = { options: {}, issues: [] };

/** What a policy is composed of under this configuration. */
export function toPolicySources(config: Pick<CompiledConfig, "scopes" | "options">): PolicySources {
  return Object.freeze({ ...config.scopes, yolo: config.options.yoloMode });
}

function scopesOf(
  user: ConfigFile | undefined,
  project: ConfigFile | undefined,
): CompiledConfig["scopes"] {
  const invalid = [
    ...invalidScopes(user, ["global", "agent"]),
    ...invalidScopes(project, ["project", "project-agent"]),
  ];
  return {
    ...present("global", user?.permission),
    ...present("agents", user?.agents),
    ...present("project", project?.permission),
    ...present("projectAgents", project?.agents),
    ...(invalid.length === 0 ? {} : { invalid: Object.freeze(invalid) }),
  };
}

/** The scopes of a rejected file; that of its agents only when it has some, or may have. */
function invalidScopes(
  file: ConfigFile | undefined,
  [own, ofAgents]: readonly [PermissionScope, PermissionScope],
): readonly PermissionScope[] {
  if (file?.rejected !== true) return [];
  return file.mentionsAgents ? [own, ofAgents] : [own];
}

function present<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: T });
}
