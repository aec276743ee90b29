import { isPrototypeClean, type OwnObject } from "./body.ts";
import { MAX_ID_LENGTH } from "./text.ts";

/** Reads one part of what JSON text decoded to; null when it is not what is meant. */
export type Read<T> = (value: unknown) => T | null;

/** An object whose fields are still to be set. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING: OwnObject = Object.freeze({});

/** The fields of an object that JSON text decoded to; of every other value none. */
export function fieldsOf(value: unknown): OwnObject {
  if (typeof value !== "object" || value === null) return NOTHING;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as OwnObject) : NOTHING;
}

/**
 * The fields of a whole body that JSON text decoded to. None when something was added to the prototype of all objects:
 * a field that is absent would then be read from there.
 */
export function bodyOf(value: unknown): OwnObject {
  return isPrototypeClean() ? fieldsOf(value) : NOTHING;
}

/** Text of well-formed Unicode. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

/** Text that says something. */
export function isFilled(value: unknown): value is string {
  return isText(value) && value !== "";
}

/** Text that can name an ask. */
export function isId(value: unknown): value is string {
  return isFilled(value) && value.length <= MAX_ID_LENGTH;
}

/** Text, or null. */
export function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

/** Says whether a value is absent or text; JSON knows no other way to be undefined. */
export function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}

/** One of a closed list of words. */
export function isOneOf<W>(words: ReadonlySet<W>, value: unknown): value is W {
  return words.has(value as W);
}

/** A list of what `read` takes, frozen; null when it is no list, or one of its items is not taken. */
export function readList<T>(value: unknown, read: Read<T>): readonly T[] | null {
  if (!Array.isArray(value)) return null;
  const items: T[] = [];
  for (const one of value as readonly unknown[]) {
    const item = read(one);
    if (item === null) return null;
    items.push(item);
  }
  return Object.freeze(items);
}

/** Takes text as it is. */
export function readText(value: unknown): string | null {
  return isText(value) ? value : null;
}

/** Takes text that says something as it is. */
export function readFilled(value: unknown): string | null {
  return isFilled(value) ? value : null;
}
