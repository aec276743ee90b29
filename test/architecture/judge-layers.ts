import { type ImportWalk, roomOf } from "./imports.ts";
import type { Room } from "./layers.ts";

/** Every way the walked files break the table, as sentences; empty when they keep to it. */
export function layerFaults(walk: ImportWalk, layers: Readonly<Record<string, Room>>): string[] {
  const faults = [...tableFaults(layers)];
  if (walk.files.length === 0) faults.push("the walk found no source file");
  for (const file of walk.disabling) faults.push(`${file} switches the cycle rule off`);
  for (const file of walk.files) {
    if (!Object.hasOwn(layers, roomOf(file))) faults.push(`${file} is in no room of the table`);
  }
  for (const { from, to } of walk.edges) {
    const source = roomOf(from);
    const target = roomOf(to);
    if (to.startsWith("..")) faults.push(`${from} imports ${to}, outside src`);
    else if (source !== target && !layers[source]?.mayImport.includes(target)) {
      faults.push(`${from} imports ${to}: ${source} may not import ${target}`);
    }
  }
  return faults;
}

function tableFaults(layers: Readonly<Record<string, Room>>): string[] {
  const faults: string[] = [];
  for (const [name, room] of Object.entries(layers)) {
    for (const target of room.mayImport) {
      if (!Object.hasOwn(layers, target))
        faults.push(`${name} may import ${target}, which is no room`);
      else if (reaches(layers, target, name)) faults.push(`${name} and ${target} form a cycle`);
    }
  }
  return faults;
}

function reaches(layers: Readonly<Record<string, Room>>, from: string, goal: string): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name === goal) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(layers[name]?.mayImport ?? []));
  }
  return false;
}
