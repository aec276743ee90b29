import { redactBound } from "./redact.ts";
import { isSensitiveKey, REDACTED } from "./sensitive-names.ts";

/** How records are bounded. */
export interface BoundOptions {
  /** UTF-16 units of one text, 1 or more. @defaultValue 1000 */
  readonly maxWidth?: number;
}

/** The longest text of a record unless configured otherwise, in UTF-16 units. */
export const DEFAULT_RECORD_WIDTH = 1000;

/** Objects nested deeper than this are told as such: what serialises a record has its own limit. */
const MOST_DEPTH = 2000;

/** From this length on a text is remembered while its record is bounded, in UTF-16 units. */
const LONG_TEXT = 48;

const TOO_DEEP = "[too deep]";

/**
 * Makes the body of a record fit to be kept: secrets bound to a name inside texts are masked, then texts are
 * cut with one `…` and never inside a code point, then values under sensitive keys are replaced whole, at any
 * depth; a nonce, proof or signature never stays. The given body is left as it is: what comes back is new.
 */
export function boundRecord(
  body: Readonly<Record<string, unknown>>,
  options: BoundOptions = {},
): Record<string, unknown> {
  return boundFields(body, boundTexts(options.maxWidth ?? DEFAULT_RECORD_WIDTH), 1);
}

/**
 * Makes the body of an entry or event fit: as {@link boundRecord} does, with its name and the id that joins records
 * left whole, however narrow the bound.
 */
export function boundEntry(
  body: Readonly<Record<string, unknown>>,
  options: BoundOptions = {},
): Record<string, unknown> {
  const bound = boundRecord(body, options);
  for (const key of WHOLE) if (key in body) bound[key] = body[key];
  return bound;
}

const WHOLE = ["event", "requestId"] as const;

type Fields = Readonly<Record<string, unknown>>;

type Bound = (text: string) => string;

function boundFields(from: Fields, bound: Bound, depth: number): Record<string, unknown> {
  const into: Record<string, unknown> = {};
  for (const key of Object.keys(from)) {
    put(into, key, isSensitiveKey(key) ? REDACTED : boundValue(from[key], bound, depth));
  }
  return into;
}

function boundValue(value: unknown, bound: Bound, depth: number): unknown {
  if (typeof value === "string") return bound(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MOST_DEPTH) return TOO_DEEP;
  if (!Array.isArray(value)) return boundFields(value as Fields, bound, depth + 1);
  return value.map((item) => boundValue(item, bound, depth + 1));
}

/** Masks and cuts texts. Records tell the same text again and again: the last long one is not searched twice. */
function boundTexts(maxWidth: number): (text: string) => string {
  let lastText = "";
  let lastBound = "";
  return (text) => {
    if (text.length < LONG_TEXT) return cut(redactBound(text), maxWidth);
    if (text !== lastText) {
      lastText = text;
      lastBound = cut(redactBound(text), maxWidth);
    }
    return lastBound;
  };
}

/** Sets an own property, also one that is called `__proto__`. */
function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") into[key] = value;
  else
    Object.defineProperty(into, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splits ? max - 1 : max)}…`;
}
