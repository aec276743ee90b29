import { parsePermissionMap } from "../policy/parse-permission-map.ts";
import type { PermissionMap } from "../policy/sources.ts";
import { printable } from "./issues.ts";
import type { JsonTree, Place } from "./json-tree.ts";
import type { Report, Segments } from "./report.ts";

const LONGEST_MESSAGE = 400;

/** Reads a `permission` map in the order of the text; reports every fault, and then returns an empty map. */
export function readPermission(tree: JsonTree, at: Segments, report: Report): PermissionMap {
  const parsed = parsePermissionMap(orderedOf(tree));
  if (parsed.ok) return parsed.permission;
  for (const { path, message } of parsed.issues) {
    report.say([...at, ...path], printable(message, LONGEST_MESSAGE), placeOf(tree, path));
  }
  return new Map();
}

/** The value of a tree with every object as a Map, which keeps the order also of keys that look like numbers. */
function orderedOf(tree: JsonTree): unknown {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "list") return tree.items.map(orderedOf);
  return new Map(tree.entries.map(({ key, value }) => [key, orderedOf(value)]));
}

function placeOf(tree: JsonTree, path: readonly string[]): Place | undefined {
  let here = tree;
  for (const key of path) {
    const next =
      here.kind === "map" ? here.entries.findLast((entry) => entry.key === key)?.value : undefined;
    if (next === undefined) break;
    here = next;
  }
  return here.at;
}
