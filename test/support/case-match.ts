import { isDeepStrictEqual } from "node:util";
import { isRecord } from "./case-macros.ts";

type Matcher = (argument: unknown, actual: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === "string";
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function expressionOf(argument: unknown): RegExp {
  const [source, flags] = Array.isArray(argument) ? listOf(argument) : [argument, "u"];
  return new RegExp(String(source), String(flags));
}

function holds(actual: unknown, wanted: unknown): boolean {
  if (isText(actual)) return isText(wanted) && actual.includes(wanted);
  return Array.isArray(actual) && actual.some((item) => matchesCase(wanted, item));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isPartial(argument: unknown, actual: unknown): boolean {
  if (!isRecord(argument) || !isRecord(actual)) return false;
  return Object.entries(argument).every(([key, wanted]) =>
    matchesCase(wanted, Object.hasOwn(actual, key) ? actual[key] : undefined),
  );
}

const MATCHERS: Readonly<Record<string, Matcher>> = {
  $contains: (argument, actual) => listOf(argument).every((wanted) => holds(actual, wanted)),
  $notContains: (argument, actual) =>
    (isText(actual) || Array.isArray(actual)) &&
    !listOf(argument).some((banned) => holds(actual, banned)),
  $matches: (argument, actual) => isText(actual) && expressionOf(argument).test(actual),
  $notMatches: (argument, actual) => isText(actual) && !expressionOf(argument).test(actual),
  $lte: (argument, actual) => typeof actual === "number" && actual <= Number(argument),
  $gte: (argument, actual) => typeof actual === "number" && actual >= Number(argument),
  $absent: (_, actual) => actual === undefined,
  $present: (_, actual) => actual !== undefined,
  $type: (argument, actual) => typeOf(actual) === argument,
  $keys: (argument, actual) =>
    isRecord(actual) &&
    isDeepStrictEqual(Object.keys(actual).sort(), listOf(argument).map(String).sort()),
  $onlyKeys: (argument, actual) =>
    isRecord(actual) && Object.keys(actual).every((key) => listOf(argument).includes(key)),
  $length: (argument, actual) =>
    (isText(actual) || Array.isArray(actual)) && matchesCase(argument, actual.length),
  $any: (argument, actual) =>
    Array.isArray(actual) && actual.some((item) => matchesCase(argument, item)),
  $none: (argument, actual) =>
    Array.isArray(actual) && !actual.some((item) => matchesCase(argument, item)),
  $all: (argument, actual) =>
    Array.isArray(actual) && actual.every((item) => matchesCase(argument, item)),
  $oneOf: (argument, actual) => listOf(argument).some((one) => matchesCase(one, actual)),
  $not: (argument, actual) => !matchesCase(argument, actual),
  $and: (argument, actual) => listOf(argument).every((one) => matchesCase(one, actual)),
  $partial: isPartial,
  $text: (argument, actual) => matchesCase(argument, JSON.stringify(actual)),
  $joined: (argument, actual) => Array.isArray(actual) && matchesCase(argument, actual.join("\n")),
};

/**
 * Says whether a value is what a conformance case expects: plain values exactly, objects with exactly their keys,
 * and objects whose keys begin with `$` by all of those matchers.
 *
 * @throws Error when the case names a matcher that does not exist.
 */
export function matchesCase(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((item, i) => matchesCase(item, actual[i]));
  }
  if (!isRecord(expected)) return Object.is(expected, actual);
  const keys = Object.keys(expected);
  if (keys.some((key) => key.startsWith("$"))) {
    return keys.every((key) => matcherOf(key)(expected[key], actual));
  }
  const hasOthers = isRecord(actual) && Object.keys(actual).some((key) => !keys.includes(key));
  return !hasOthers && isPartial(expected, actual);
}

function matcherOf(name: string): Matcher {
  const matcher = Object.hasOwn(MATCHERS, name) ? MATCHERS[name] : undefined;
  if (matcher === undefined) throw new Error(`the case uses an unknown matcher ${name}`);
  return matcher;
}
