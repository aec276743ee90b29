import type { CompiledConfig } from "./compile-config.ts";
import type { ConfigIssue } from "./issues.ts";
import { printable } from "./issues.ts";
import type { FileState, LoadedConfig } from "./load-config.ts";
import type { Options } from "./options.ts";

/** One thing that was looked at, in the order a person reads it. */
export interface ConfigFinding {
  /** `user file`, `project file`, an option's name or an issue's path. */
  readonly about: string;
  readonly status: "ok" | "warn" | "fail";
  /** One line. Holds no secret. */
  readonly text: string;
  /** The way out; present unless all is well. */
  readonly todo?: string;
}

const STATES: Readonly<Record<FileState, Omit<ConfigFinding, "about">>> = {
  absent: { status: "ok", text: "is not there" },
  read: { status: "ok", text: "is in force" },
  rejected: {
    status: "fail",
    text: "is rejected and says nothing",
    todo: "mend what is listed below",
  },
  untrusted: {
    status: "warn",
    text: "is not trusted and not applied",
    todo: "read it, then run `askfabric config trust`",
  },
  changed: {
    status: "warn",
    text: "changed since it was trusted and is not applied",
    todo: "read it again, then run `askfabric config trust`",
  },
};

const LONGEST_VALUE = 200;

/** Says what configuration is in force: each file, each option with what gave it its value, every problem. */
export function explainConfig(loaded: LoadedConfig): readonly ConfigFinding[] {
  return [
    explainFile("user file", loaded.user),
    explainFile("project file", loaded.project),
    ...(loaded.trustProblem === null ? [] : [trustFinding(loaded.trustProblem)]),
    ...explainScopes(loaded),
    ...Object.keys(loaded.options).map((name) => explainOption(name as keyof Options, loaded)),
    ...loaded.issues.map((issue) => explainIssue(issue, loaded)),
  ];
}

function explainFile(about: string, { path, state }: LoadedConfig["user"]): ConfigFinding {
  const { text, ...rest } = STATES[state];
  return { about, ...rest, text: `${path} ${text}` };
}

function trustFinding(problem: string): ConfigFinding {
  const [text = problem, todo = "remove it"] = problem.split("; ");
  return { about: "trusted projects", status: "fail", text, todo };
}

function explainScopes({ scopes }: CompiledConfig): readonly ConfigFinding[] {
  const invalid = scopes.invalid ?? [];
  if (!invalid.some((scope) => scope !== "global")) return [];
  return [
    {
      about: "permission",
      status: "fail",
      text: `the rules of ${invalid.join(", ")} cannot be read, so every allow of a rule is an ask`,
      todo: "mend the rejected file",
    },
  ];
}

function explainOption(name: keyof Options, { options, origins }: CompiledConfig): ConfigFinding {
  const value = shownOption(options[name]);
  return { about: name, status: "ok", text: `${name} is ${value} (${origins[name]})` };
}

/** Maps are told by their names alone: what a link is given may be secret. */
function shownOption(value: Options[keyof Options]): string {
  const plain = value instanceof Map ? [...(value as ReadonlyMap<string, unknown>).keys()] : value;
  return printable(JSON.stringify(plain), LONGEST_VALUE);
}

function explainIssue(issue: ConfigIssue, loaded: LoadedConfig): ConfigFinding {
  const file = issue.source === "user" || issue.source === "project" ? loaded[issue.source] : null;
  const place = issue.at === undefined ? "" : `:${issue.at.line}:${issue.at.column}`;
  const where = file === null ? issue.source : `${file.path}${place}`;
  return {
    about: issue.path === "" ? `${issue.source} file` : issue.path,
    status: issue.rejects ? "fail" : "warn",
    text: `${where}: ${issue.message}`,
    todo: issue.rejects
      ? "correct it; until then its source does not count"
      : "change or remove it",
  };
}
