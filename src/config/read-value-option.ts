import { type JsonTree, plainOf } from "./json-tree.ts";
import { VALUE_OPTIONS } from "./option-schemas.ts";
import type { Report } from "./report.ts";
import type { ValueOption } from "./value-options.ts";

/** Reads an option that is one value; reports and returns undefined when it is not what it must be. */
export function readValueOption(name: ValueOption, tree: JsonTree, report: Report): unknown {
  const { schema, expects } = VALUE_OPTIONS[name];
  const read = schema.safeParse(plainOf(tree));
  if (!read.success) {
    report.fault([name], tree, `it must be ${expects}`);
    return undefined;
  }
  return Array.isArray(read.data) ? Object.freeze(read.data) : read.data;
}
