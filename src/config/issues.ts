import { type JsonTree, type Place, plainOf } from "./json-tree.ts";

/** Where a configured value comes from, strongest first. */
export const CONFIG_SOURCES = ["flags", "env", "project", "user"] as const;

/** One of {@link CONFIG_SOURCES}. */
export type ConfigSource = (typeof CONFIG_SOURCES)[number];

/** Something about the configuration that a person should know. Never holds a secret. */
export interface ConfigIssue {
  readonly source: ConfigSource;
  /** Begins with the key, such as `links.judge.timeoutMs`; empty when it is about a whole file. */
  readonly path: string;
  /** One line: the place, the value, what is allowed. */
  readonly message: string;
  /** True when the file, flag or variable it stands in does not count because of it. */
  readonly rejects: boolean;
  /** Where it stands in the file's text; absent for flags, variables and parsed values. */
  readonly at?: Place;
}

const LONGEST_VALUE = 120;
const LONGEST_PATH = 300;
const SECRET =
  /authorization|api[-_ ]?key|secret|token|password|passwd|credential|cookie|private[-_ ]?key/iu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Joins keys and indices to a path: `permission.bash["rm *"].reason`, `parents[1]`. */
export function pathOf(segments: readonly (string | number)[]): string {
  const parts = segments.map((segment, i) => {
    if (typeof segment === "number") return `[${segment}]`;
    if (i === 0) return segment;
    return /^[A-Za-z_$][\w$-]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
  });
  return printable(parts.join(""), LONGEST_PATH);
}

/** The value of a tree as a message shows it: on one line, cut, and not at all where its name is a secret's. */
export function shownValue(segments: readonly (string | number)[], tree: JsonTree): string {
  if (segments.some((segment) => typeof segment === "string" && SECRET.test(segment))) {
    return "a value that is not shown";
  }
  return printable(writtenOf(tree), LONGEST_VALUE);
}

/** Shows a text of somebody else on one line: invisible characters escaped, cut at `max` UTF-16 units. */
export function printable(text: string, max: number): string {
  const plain = text
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, "$1[redacted]@")
    .replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return plain.length <= max ? plain : `${plain.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`;
}

function writtenOf(tree: JsonTree): string {
  if (tree.kind === "scalar") return tree.written;
  return JSON.stringify(plainOf(tree), (key, value: unknown) =>
    SECRET.test(key) || key === "options" ? "[redacted]" : value,
  );
}
