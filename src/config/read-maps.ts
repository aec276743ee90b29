import type { z } from "zod";
import { type JsonEntry, type JsonTree, plainOf } from "./json-tree.ts";
import { LINK_SCHEMAS, shellToolSchema, toolPathsSchema } from "./option-schemas.ts";
import type { LinkOptions, ShellTool } from "./options.ts";
import type { Report, Segments } from "./report.ts";

type ReadOne<T> = (tree: JsonTree, at: Segments, report: Report) => T | null;

/** Reads `links`. */
export function readLinks(tree: JsonTree, report: Report): ReadonlyMap<string, LinkOptions> {
  return readNamed(tree, ["links"], report, readLink);
}

/** Reads `shellTools`: an object by tool name, or a list of names whose command is the field `command`. */
export function readShellTools(tree: JsonTree, report: Report): ReadonlyMap<string, ShellTool> {
  if (tree.kind !== "list") return readNamed(tree, ["shellTools"], report, readShellTool);
  const tools = new Map<string, ShellTool>();
  for (const [i, item] of tree.items.entries()) {
    const name = plainOf(item);
    if (typeof name === "string" && name !== "") {
      tools.set(name, Object.freeze({ commandArgument: "command" }));
    } else report.fault(["shellTools", i], item, "it must be the name of a tool");
  }
  return tools;
}

/** Reads `toolPaths`. */
export function readToolPaths(
  tree: JsonTree,
  report: Report,
): ReadonlyMap<string, readonly string[]> {
  return readNamed(tree, ["toolPaths"], report, (value, at) =>
    checked(toolPathsSchema, value, at, { report, must: "it must be a list of field names" }),
  );
}

function readNamed<T>(
  tree: JsonTree,
  at: Segments,
  report: Report,
  readOne: ReadOne<T>,
): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  if (tree.kind !== "map") {
    report.fault(at, tree, "it must be an object by name");
    return map;
  }
  for (const { key, value } of tree.entries) {
    const place = [...at, key];
    if (key === "") report.say(place, `${at.join(".")} has an empty name; give it one`, value.at);
    const one = readOne(value, place, report);
    if (one !== null) map.set(key, one);
  }
  return map;
}

const LINK_MUST =
  'it must be an object with exactly one of "module", "command" and "http", and "timeoutMs" and "options" if wanted, with "http" also "secretFile"';

const PLACE_FIELDS: Readonly<Record<keyof typeof LINK_SCHEMAS, Readonly<Record<string, string>>>> =
  {
    module: { module: "it must be the path of a module" },
    command: { command: "it must be a list of a program and its arguments" },
    http: {
      http: "it must be an https: address, or an http: one of the loopback, without a name or password",
      secretFile: "it must be the path of a file",
    },
  };

function readLink(tree: JsonTree, at: Segments, report: Report): LinkOptions | null {
  const kinds =
    tree.kind === "map"
      ? tree.entries.map(({ key }) => key).filter((key) => Object.hasOwn(LINK_SCHEMAS, key))
      : [];
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    report.fault(at, tree, LINK_MUST);
    return null;
  }
  const schema: z.ZodType<LinkOptions> = LINK_SCHEMAS[kind as keyof typeof LINK_SCHEMAS];
  return checked(schema, tree, at, {
    report,
    must: LINK_MUST,
    fields: {
      ...PLACE_FIELDS[kind as keyof typeof LINK_SCHEMAS],
      timeoutMs: "it must be a whole number of milliseconds from 1 to 600,000",
      options: "it must be an object",
    },
  });
}

function readShellTool(tree: JsonTree, at: Segments, report: Report): ShellTool | null {
  return checked(shellToolSchema, tree, at, {
    report,
    must: 'it must be an object with "commandArgument" and, if wanted, "workdirArgument"',
    fields: {
      commandArgument: "it must be the name of the input field that holds the command",
      workdirArgument: "it must be the name of the input field that holds the working directory",
    },
  });
}

interface Checking {
  readonly report: Report;
  readonly must: string;
  /** What each known field must be; a field that is not here is unknown. */
  readonly fields?: Readonly<Record<string, string>>;
}

function checked<T>(
  schema: z.ZodType<T>,
  tree: JsonTree,
  at: Segments,
  checking: Checking,
): T | null {
  const unknown = reportUnknown(tree, at, checking);
  const read = schema.safeParse(plainOf(tree));
  if (!read.success) reportFaults(read.error.issues, tree, at, checking);
  return read.success && !unknown ? freezeThrough(read.data) : null;
}

function reportUnknown(tree: JsonTree, at: Segments, { report, fields }: Checking): boolean {
  if (fields === undefined) return false;
  const unknown = unknownFields(tree, fields);
  const known = Object.keys(fields).join(", ");
  for (const { key, value } of unknown) {
    report.fault([...at, key], value, `it is not known here; known are ${known}`);
  }
  return unknown.length > 0;
}

function reportFaults(
  issues: readonly z.core.$ZodIssue[],
  tree: JsonTree,
  at: Segments,
  { report, must, fields = {} }: Checking,
): void {
  const told = new Set<unknown>();
  for (const { code, path } of issues) {
    const [field] = path;
    if (code === "unrecognized_keys" || told.has(field)) continue;
    told.add(field);
    const value = typeof field === "string" ? fieldOf(tree, field) : undefined;
    if (typeof field !== "string" || value === undefined) report.fault(at, tree, must);
    else report.fault([...at, field], value, fields[field] ?? must);
  }
}

function unknownFields(
  tree: JsonTree,
  fields: Readonly<Record<string, string>>,
): readonly JsonEntry[] {
  return tree.kind === "map" ? tree.entries.filter(({ key }) => !Object.hasOwn(fields, key)) : [];
}

function fieldOf(tree: JsonTree, field: string): JsonTree | undefined {
  return tree.kind === "map" ? tree.entries.findLast(({ key }) => key === field)?.value : undefined;
}

function freezeThrough<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freezeThrough(item);
  return Object.freeze(value);
}
