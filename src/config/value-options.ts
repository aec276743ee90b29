import { DEFAULT_OPTIONS, type Options } from "./options.ts";

const MAP_OPTIONS = ["links", "shellTools", "toolPaths"] as const;

/** Name of an option that is one value, which the file, the environment and flags share. */
export type ValueOption = Exclude<keyof Options, (typeof MAP_OPTIONS)[number]>;

/** Every {@link ValueOption}, apart from what each takes: looking names up loads no schemas. */
export const VALUE_OPTION_NAMES: readonly ValueOption[] = Object.freeze(
  Object.keys(DEFAULT_OPTIONS).filter(isValueName),
);

/** Says whether a key names an option that is one value. */
export function isValueOption(key: string): key is ValueOption {
  return Object.hasOwn(DEFAULT_OPTIONS, key) && isValueName(key);
}

function isValueName(key: string): key is ValueOption {
  return !MAP_OPTIONS.some((name) => name === key);
}
