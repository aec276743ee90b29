import { RECORD_KINDS } from "../ask/record.ts";
import { encodeToken, isToken } from "./token.ts";

/** The tokens behind the prefix and the purpose, in order. One row per purpose, `inbox` aside. */
const ROWS = {
  ask: ["parent", "child"],
  dec: ["parent", "child", "rid"],
  ack: ["parent", "child"],
  cancel: ["parent", "child", "rid"],
  up: ["parent", "child"],
  hb: ["session"],
  ctl: ["session", "operator", "op"],
  frz: ["keeper"],
  evt: ["session", "event"],
  audit: ["session", "record"],
} as const;

/** The live events that have a subject. */
export const EVENT_KINDS = ["ui_prompt", "decision", "ready"] as const;

const CLOSED: Readonly<Record<string, readonly string[]>> = {
  event: EVENT_KINDS,
  record: RECORD_KINDS,
};

type Loose = Readonly<Partial<Record<string, string>>>;

/** A purpose of the subject table. */
export type SubjectKind = keyof typeof ROWS;

/** The tokens a subject of one purpose is made of, each as {@link encodeToken} writes it. */
export type SubjectTokens<K extends SubjectKind> = Readonly<
  Record<(typeof ROWS)[K][number], string>
>;

/** A subject taken apart. `rest` of an inbox subject is everything behind the session. */
export type ParsedSubject =
  | { [K in SubjectKind]: { readonly kind: K } & SubjectTokens<K> }[SubjectKind]
  | { readonly kind: "inbox"; readonly session: string; readonly rest: string };

/** Every subject below one prefix. */
export interface Subjects {
  readonly prefix: string;
  /**
   * Joins the tokens of one purpose.
   *
   * @throws RangeError when one of them is not a token; a name that was never encoded ends here.
   */
  of<K extends SubjectKind>(kind: K, tokens: SubjectTokens<K>): string;
  /** The subscription that matches every subject of a purpose with these tokens; what is left out is any. */
  filter<K extends SubjectKind>(kind: K, tokens: Partial<SubjectTokens<K>>): string;
  /** The inbox prefix of one session, without the closing dot. */
  inbox(session: string): string;
  /** Takes a subject apart; null when it is not below this prefix or fits no row. Never throws. */
  parse(subject: string): ParsedSubject | null;
}

/** Most tokens a prefix may have. */
export const MAX_PREFIX_TOKENS = 4;

/** The prefix of a fleet: `af.v1.<fleet>`, the fleet's name encoded. */
export function fleetPrefix(fleet: string): string {
  return `af.v1.${encodeToken(fleet)}`;
}

/** Says whether `text` is 1 to 4 encoded tokens joined by dots. */
export function isSubjectPrefix(text: string): boolean {
  const tokens = text.split(".");
  return tokens.length <= MAX_PREFIX_TOKENS && tokens.every(isToken);
}

/**
 * Opens the subject table below a prefix.
 *
 * @throws RangeError when the prefix is not 1 to 4 encoded tokens.
 */
export function createSubjects(prefix: string): Subjects {
  if (!isSubjectPrefix(prefix)) {
    throw new RangeError(
      `The subject prefix ${JSON.stringify(prefix)} is not 1 to ${MAX_PREFIX_TOKENS} tokens of A-Z a-z 0-9 _ - joined by dots; use a name such as "af.v1.default"`,
    );
  }
  const head = `${prefix}.`;
  return Object.freeze({
    prefix,
    of: (kind, tokens) => {
      const given: Loose = tokens;
      return join(head, kind, (field) => legal(field, given[field] ?? ""));
    },
    filter: (kind, tokens) => {
      const given: Loose = tokens;
      return join(head, kind, (field) => {
        const token = given[field];
        return token === undefined ? "*" : legal(field, token);
      });
    },
    inbox: (session) => `${head}inbox.${legal("session", session)}`,
    parse: (subject) => (subject.startsWith(head) ? takeApart(subject.slice(head.length)) : null),
  } satisfies Subjects);
}

function join(head: string, kind: SubjectKind, token: (field: string) => string): string {
  let subject = head + kind;
  for (const field of ROWS[kind]) subject += `.${token(field)}`;
  return subject;
}

function legal(field: string, token: string): string {
  if (isToken(token)) return token;
  throw new RangeError(`The ${field} of a subject is not an encoded token; encode the name first`);
}

function takeApart(tail: string): ParsedSubject | null {
  const tokens = tail.split(".");
  const kind = tokens[0] ?? "";
  if (kind === "inbox") return inboxOf(tokens.slice(1));
  if (!Object.hasOwn(ROWS, kind)) return null;
  const fields: readonly string[] = ROWS[kind as SubjectKind];
  if (tokens.length !== fields.length + 1) return null;
  const parsed: Record<string, string> = { kind };
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i] ?? "";
    const token = tokens[i + 1] ?? "";
    if (!isToken(token) || CLOSED[field]?.includes(token) === false) return null;
    parsed[field] = token;
  }
  return parsed as ParsedSubject;
}

function inboxOf(tokens: readonly string[]): ParsedSubject | null {
  const [session = "", ...rest] = tokens;
  if (!isToken(session) || rest.length === 0 || rest.includes("")) return null;
  return { kind: "inbox", session, rest: rest.join(".") };
}
