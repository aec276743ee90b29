import { closestName } from "./closest-name.ts";
import type { ConfigIssue } from "./issues.ts";
import { printable } from "./issues.ts";
import type { JsonTree } from "./json-tree.ts";
import { DEFAULT_OPTIONS, type Options } from "./options.ts";
import { readValueOption } from "./read-value-option.ts";
import { createReport, type Report } from "./report.ts";
import { VALUE_OPTION_NAMES, type ValueOption } from "./value-options.ts";

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What flags or variables say. Each faulty one counts for nothing by itself. */
export interface LooseOptions {
  readonly options: Partial<Options>;
  readonly issues: readonly ConfigIssue[];
}

const PREFIX = "ASKFABRIC_";

/** Variables that name a place or a session; programs read them, and they are no options. */
const OTHER_VARIABLES = [
  "URL",
  "TOKEN_FILE",
  "CREDS",
  "JOIN",
  "CONFIG",
  "DATA",
  "LOG_LEVEL",
  "SESSION",
  "PARENT",
  "AGENT",
  "OPERATOR",
  "LOG_LEVEL",
  "NATS_IMAGE",
  "NATS_SERVER",
  "TEST_NATS",
];

const VARIABLES: ReadonlyMap<string, ValueOption> = new Map(
  VALUE_OPTION_NAMES.map((name) => [variableOf(name), name]),
);

/** The environment variable of an option: `ASKFABRIC_` and its name in upper snake case. */
export function variableOf(name: string): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/**
 * Reads options from variables: numbers are decimal digits, switches `true` or `false`, lists either joined by
 * commas or a JSON list. An empty variable is not set.
 */
export function readEnvironment(environment: Environment): LooseOptions {
  const report = createReport("env");
  const options: Partial<Options> = {};
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || text === "") continue;
    if (variable.startsWith(PREFIX)) readVariable(variable, text, { options, report });
  }
  return { options, issues: report.issues };
}

interface Reading {
  readonly options: Partial<Options>;
  readonly report: Report;
}

function readVariable(variable: string, text: string, { options, report }: Reading): void {
  const name = VARIABLES.get(variable);
  if (name !== undefined) {
    const value = readValueOption(name, treeOfText(name, text), report);
    if (value !== undefined) Object.assign(options, { [name]: value });
    return;
  }
  if (OTHER_VARIABLES.includes(variable.slice(PREFIX.length))) return;
  const meant = closestName(variable, [...VARIABLES.keys()]);
  const hint = meant === null ? "unset it" : `did you mean ${meant}?`;
  report.note([printable(variable, 100)], `${printable(variable, 100)} is no option; ${hint}`);
}

function treeOfText(name: ValueOption, text: string): JsonTree {
  const scalar = (value: unknown): JsonTree => ({
    kind: "scalar",
    value,
    written: JSON.stringify(text),
  });
  const example = DEFAULT_OPTIONS[name];
  if (typeof example === "number") return scalar(/^\d{1,15}$/.test(text) ? Number(text) : text);
  if (typeof example === "boolean") {
    return scalar(text === "true" ? true : text === "false" ? false : text);
  }
  if (!Array.isArray(example)) return scalar(text);
  return text.trimStart().startsWith("[") ? scalar(parsedList(text)) : scalar(splitList(text));
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((item) => item.trim());
}

function parsedList(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
