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
 * depth; a nonce, proof or signature never stays. The given body is left as it is.
 */
export function boundRecord(
  body: Readonly<Record<string, unknown>>,
  options: BoundOptions = {},
): Readonly<Record<string, unknown>> {
  const bound = boundTexts(options.maxWidth ?? DEFAULT_RECORD_WIDTH);
  const root: Record<string, unknown> = {};
  const open: Pending[] = [{ from: body, into: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const isList = Array.isArray(next.from);
    for (const key of Object.keys(next.from)) {
      const value =
        !isList && isSensitiveKey(key)
          ? REDACTED
          : boundValue(next.from[key], next.depth, bound, open);
      put(next.into, key, value);
    }
  }
  return root;
}

interface Pending {
  readonly from: Readonly<Record<string, unknown>>;
  readonly into: Record<string, unknown>;
  readonly depth: number;
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

function boundValue(
  value: unknown,
  depth: number,
  bound: (text: string) => string,
  open: Pending[],
): unknown {
  if (typeof value === "string") return bound(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MOST_DEPTH) return TOO_DEEP;
  const into = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
  open.push({ from: value as Record<string, unknown>, into, depth: depth + 1 });
  return into;
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
