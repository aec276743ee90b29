import type { OwnObject } from "./body.ts";

/** Says whether a value that JSON text decoded to is exactly what is meant, with nothing beside it. */
export type Exact = (value: unknown) => boolean;

/** Checks of fields by name. */
export type ExactFields = Readonly<Record<string, Exact>>;

/** Text of well-formed Unicode. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

/** Text that says something. */
export function isFilled(value: unknown): value is string {
  return isText(value) && value !== "";
}

/** A finite number. */
export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** True or false. */
export function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** Null, or what `exact` takes. */
export function orNull(exact: Exact): Exact {
  return (value) => value === null || exact(value);
}

/** One of these values. */
export function oneOf(values: readonly unknown[]): Exact {
  const known = new Set(values);
  return (value) => known.has(value);
}

/** A list of what `exact` takes, at least `least` of them. */
export function listOf(exact: Exact, least = 0): Exact {
  return (value) => Array.isArray(value) && value.length >= least && value.every(exact);
}

/** An object with each of the required fields, any of the optional ones and no other. */
export function exactly(required: ExactFields, optional: ExactFields = {}): Exact {
  const must = new Map(Object.entries(required));
  const may = new Map(Object.entries(optional));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const key in value) {
      const demanded = must.get(key);
      const exact = demanded ?? may.get(key);
      if (exact === undefined || !exact((value as OwnObject)[key])) return false;
      if (demanded !== undefined) found += 1;
    }
    return found === must.size;
  };
}

/** Freezes a value that JSON text decoded to, at every depth. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key in value) frozen(value[key]);
  return Object.freeze(value);
}
