import { readJsonValue } from "./json-tree.ts";
import type { Options } from "./options.ts";
import type { LooseOptions } from "./read-environment.ts";
import { readValueOption } from "./read-value-option.ts";
import { createReport } from "./report.ts";
import { isValueOption } from "./value-options.ts";

/** Options given as flags, by option name, typed already; undefined is not given. */
export type Flags = Readonly<Record<string, unknown>>;

/** Reads options from flags and checks each. */
export function readFlags(flags: Flags): LooseOptions {
  const report = createReport("flags");
  const options: Partial<Options> = {};
  for (const [name, given] of Object.entries(flags)) {
    if (given === undefined) continue;
    const reading = readJsonValue(given);
    if (!reading.ok) report.say([name], `${name} is nested too deep`);
    else if (isValueOption(name)) {
      const value = readValueOption(name, reading.tree, report);
      if (value !== undefined) Object.assign(options, { [name]: value });
    } else report.fault([name], reading.tree, "it cannot be given as a flag");
  }
  return { options, issues: report.issues };
}
