import type { PermissionMap } from "../policy/sources.ts";
import { closestName } from "./closest-name.ts";
import type { ConfigIssue, ConfigSource } from "./issues.ts";
import {
  type JsonReading,
  type JsonTree,
  plainOf,
  readJsonText,
  readJsonValue,
} from "./json-tree.ts";
import type { Options } from "./options.ts";
import { readLinks, readShellTools, readToolPaths } from "./read-maps.ts";
import { readPermission } from "./read-permission.ts";
import { readValueOption } from "./read-value-option.ts";
import { createReport, type Report, type Segments } from "./report.ts";
import { isValueOption, VALUE_OPTION_NAMES } from "./value-options.ts";

/** A configuration file as its text, as a value that was parsed already, or why there is neither. */
export type FileContent =
  | { readonly text: string }
  | { readonly value: unknown }
  /** Follows "the file". */
  | { readonly unreadable: string };

/** What a file says. A rejected file says nothing but its issues. */
export interface ConfigFile {
  readonly rejected: boolean;
  readonly issues: readonly ConfigIssue[];
  readonly options: Partial<Options>;
  readonly permission?: PermissionMap;
  readonly agents?: ReadonlyMap<string, PermissionMap>;
  /** Whether it speaks of agents, or may do so where it could not be read. */
  readonly mentionsAgents: boolean;
}

/** Keys of other versions: accepted, without effect, told once each. */
const RETIRED = ["debugLog", "permissionReviewLog", "doublePressToConfirm"];

/** Keys of other versions that share one issue. */
const RETIRED_WIDTHS = ["toolInputPreviewMaxLength", "toolTextSummaryMaxLength"];

const MAP_OPTIONS = {
  links: readLinks,
  shellTools: readShellTools,
  toolPaths: readToolPaths,
} as const satisfies Partial<{
  [K in keyof Options]: (tree: JsonTree, report: Report) => Options[K];
}>;

/** Every key a configuration file may hold, without the retired ones. */
export const FILE_KEYS: readonly string[] = [
  "$schema",
  "permission",
  "agents",
  ...VALUE_OPTION_NAMES,
  ...Object.keys(MAP_OPTIONS),
];

interface Draft {
  options: Partial<Options>;
  permission?: PermissionMap;
  agents?: ReadonlyMap<string, PermissionMap>;
}

/** Reads a configuration file and checks all of it: one fault rejects it whole. Never throws. */
export function readConfigFile(source: ConfigSource, content: FileContent): ConfigFile {
  const report = createReport(source);
  const reading = readContent(content);
  if (!reading.ok) {
    for (const { message, at } of reading.faults) report.say([], `the file ${message}`, at);
    return { rejected: true, issues: report.issues, options: {}, mentionsAgents: true };
  }
  const { tree } = reading;
  if (tree.kind !== "map") {
    report.say([], "the file holds something else than a JSON object", tree.at);
    return { rejected: true, issues: report.issues, options: {}, mentionsAgents: true };
  }
  checkTexts(tree, [], report);
  const draft: Draft = { options: {} };
  for (const { key, value } of tree.entries) readKey(key, value, draft, report);
  noteRetiredWidths(tree, report);
  const mentionsAgents = tree.entries.some(({ key }) => key === "agents");
  return report.rejected()
    ? { rejected: true, issues: report.issues, options: {}, mentionsAgents }
    : { rejected: false, issues: report.issues, ...draft, mentionsAgents };
}

function readContent(content: FileContent): JsonReading {
  if ("text" in content) return readJsonText(content.text);
  if ("value" in content) return readJsonValue(content.value);
  return { ok: false, faults: [{ message: content.unreadable }] };
}

function readKey(key: string, value: JsonTree, draft: Draft, report: Report): void {
  if (isValueOption(key)) {
    Object.assign(draft.options, { [key]: readValueOption(key, value, report) });
  } else if (Object.hasOwn(MAP_OPTIONS, key)) {
    const name = key as keyof typeof MAP_OPTIONS;
    Object.assign(draft.options, { [name]: MAP_OPTIONS[name](value, report) });
  } else if (key === "permission") draft.permission = readPermission(value, [key], report);
  else if (key === "agents") draft.agents = readAgents(value, report);
  else if (key === "$schema") {
    if (typeof plainOf(value) !== "string") report.fault([key], value, "it must be a text");
  } else if (RETIRED.includes(key)) {
    const shown = value.kind === "scalar" ? ` (${value.written})` : "";
    report.note([key], `${key}${shown} is retired and has no effect`, value.at);
  } else if (!RETIRED_WIDTHS.includes(key)) refuseKey(key, value, report);
}

function refuseKey(key: string, value: JsonTree, report: Report): void {
  const meant = closestName(key, FILE_KEYS);
  const hint = meant === null ? "remove it" : `did you mean ${meant}?`;
  report.fault([key], value, `it is no option, ${hint}`);
}

function readAgents(tree: JsonTree, report: Report): ReadonlyMap<string, PermissionMap> {
  const agents = new Map<string, PermissionMap>();
  if (tree.kind !== "map") {
    report.fault(["agents"], tree, "it must be an object by agent name");
    return agents;
  }
  for (const { key: name, value } of tree.entries) {
    const at = ["agents", name];
    if (value.kind !== "map") {
      report.fault(at, value, 'it must be an object with "permission"');
      continue;
    }
    for (const { key, value: inner } of value.entries) {
      if (key === "permission") agents.set(name, readPermission(inner, [...at, key], report));
      else report.fault([...at, key], inner, 'it is not known here, only "permission" is');
    }
  }
  return agents;
}

function noteRetiredWidths(tree: JsonTree & { kind: "map" }, report: Report): void {
  const set = tree.entries.filter(({ key }) => RETIRED_WIDTHS.includes(key));
  const [first] = set;
  if (first === undefined) return;
  const told = set.map(({ key, value }) =>
    value.kind === "scalar" ? `${key} (${value.written})` : key,
  );
  report.note(
    [first.key],
    `${told.join(" and ")}: retired and without effect; promptMaxRows and promptFieldMaxWidth bound a prompt now`,
    first.at,
  );
}

/** Refuses repeated keys and lone surrogates, wherever they stand. */
function checkTexts(tree: JsonTree, at: Segments, report: Report): void {
  if (tree.kind === "list") {
    for (const [i, item] of tree.items.entries()) checkTexts(item, [...at, i], report);
  } else if (tree.kind === "map") {
    const seen = new Set<string>();
    for (const { key, value, at: place } of tree.entries) {
      const here = [...at, key];
      if (seen.has(key)) {
        report.say(here, `${key} stands here twice; keep one of them`, place);
      }
      seen.add(key);
      if (!key.isWellFormed()) report.say(here, "a key is not well-formed Unicode", place);
      checkTexts(value, here, report);
    }
  } else if (typeof tree.value === "string" && !tree.value.isWellFormed()) {
    report.fault(at, tree, "it must be well-formed Unicode");
  }
}
