import { readFile } from "node:fs/promises";
import type { JsonEntry, JsonTree, Place } from "./json-tree.ts";
import { readJsonText } from "./json-tree.ts";
import type { FoundFile, LoadedConfig } from "./load-config.ts";

/** A rule as a verdict names it. */
export interface NamedRule {
  /** `global`, `project`, `agent` and `project-agent` stand in files; nothing else does. */
  readonly origin: string;
  readonly surface: string;
  /** Null: the universal default. */
  readonly pattern: string | null;
  /** The agent whose rules were read; null: everybody's. */
  readonly agent: string | null;
}

/** Where a rule stands. */
export interface RulePlace extends Partial<Place> {
  readonly file: string;
}

/** Finds the place of a rule; null for one that stands in no file. */
export type FindRule = (rule: NamedRule) => RulePlace | null;

/** Reads the files of a configuration once more, for the places of their rules. Never rejects. */
export async function loadRulePlaces(loaded: LoadedConfig): Promise<FindRule> {
  const user = await readTree(loaded.user);
  const project = await readTree(loaded.project);
  return ({ origin, surface, pattern, agent }) => {
    const found = { global: user, agent: user, project, "project-agent": project }[origin];
    if (found === undefined) return null;
    const isAgents = origin === "agent" || origin === "project-agent";
    const map = isAgents ? ["agents", agent ?? "", "permission"] : ["permission"];
    const at = pattern === null ? [...map, "*"] : [...map, surface, pattern];
    return { file: found.file, ...placeOf(found.tree, at) };
  };
}

interface ReadFile {
  readonly file: string;
  readonly tree: JsonTree | null;
}

async function readTree({ path, state }: FoundFile): Promise<ReadFile> {
  if (state !== "read") return { file: path, tree: null };
  try {
    const reading = readJsonText(await readFile(path, "utf8"));
    return { file: path, tree: reading.ok ? reading.tree : null };
  } catch {
    return { file: path, tree: null };
  }
}

/** The place of the last key on the way that is there: a surface with one action has no pattern of its own. */
function placeOf(tree: JsonTree | null, path: readonly string[]): Partial<Place> {
  let here = tree;
  let at: Place | undefined;
  for (const key of path) {
    const entry: JsonEntry | undefined =
      here?.kind === "map" ? here.entries.findLast((one) => one.key === key) : undefined;
    if (entry === undefined) break;
    here = entry.value;
    at = entry.at ?? at;
  }
  return at ?? {};
}
