import { parsePermissionMap } from "../policy/parse-permission-map.ts";
import type { PermissionMap } from "../policy/sources.ts";
import { printable } from "./issues.ts";
import type { JsonTree, Place } from "./json-tree.ts";
import type { Report, Segments } from "./report.ts";

const LONGEST_MESSAGE = 400;

/** Reads a `permission` map in the order of the text; reports every fault, and then returns an empty map. */
export function readPermission(tree: JsonTree, at: Segments, report: Report): PermissionMap {
  const parsed = parsePermissionMap(orderedOf(tree));
  if (parsed.ok) {
    noteLateFamilies(tree, at, report);
    return parsed.permission;
  }
  const placeOf = placesIn(tree);
  for (const { path, message } of parsed.issues) {
    report.say([...at, ...path], printable(message, LONGEST_MESSAGE), placeOf(path));
  }
  return new Map();
}

/**
 * Rules count in the order of the file. pi-permission-system puts a bare `path` before `path_read`, wherever it
 * stands; a file of its users that has them the other way round must not come to mean another thing unnoticed.
 */
function noteLateFamilies(tree: JsonTree, at: Segments, report: Report): void {
  if (tree.kind !== "map") return;
  const keys = tree.entries.map(({ key }) => key);
  for (const [place, { key, at: where }] of tree.entries.entries()) {
    if (key !== "path" && key !== "external_directory") continue;
    const before = keys.slice(0, place).filter((one) => one.startsWith(`${key}_`));
    if (before.length === 0) continue;
    const names = before.join(" and ");
    const message = `${key} stands behind ${names} and wins over it where both match; put it first if ${names} is the exception`;
    report.note([...at, key], message, where);
  }
}

/** The value of a tree with every object as a Map, which keeps the order also of keys that look like numbers. */
function orderedOf(tree: JsonTree): unknown {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "list") return tree.items.map(orderedOf);
  return new Map(tree.entries.map(({ key, value }) => [key, orderedOf(value)]));
}

type PlaceFinder = (path: readonly string[]) => Place | undefined;

/** Finds where the keys of a path stand; each map is looked through once, however many paths lead through it. */
function placesIn(tree: JsonTree): PlaceFinder {
  const known = new Map<JsonTree, ReadonlyMap<string, JsonTree>>();
  const valuesOf = (map: JsonTree): ReadonlyMap<string, JsonTree> => {
    const entries = map.kind === "map" ? map.entries : [];
    const values = known.get(map) ?? new Map(entries.map(({ key, value }) => [key, value]));
    known.set(map, values);
    return values;
  };
  return (path) => {
    let here = tree;
    for (const key of path) {
      const inner = valuesOf(here).get(key);
      if (inner === undefined) break;
      here = inner;
    }
    return here.at;
  };
}
