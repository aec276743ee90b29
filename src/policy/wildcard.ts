import { ANY, codePoints, type Finder, findSegment, fitsAt, type Segment } from "./find-segment.ts";

/** Longest piece of a pattern that is looked for before the pattern is tried, in UTF-16 units. */
const NEEDED_LENGTH = 24;

/** A text that patterns are matched against; its code points are read once, when a pattern needs them. */
export interface Subject {
  readonly text: string;
  points(): readonly number[];
}

/** Prepares a text for matching. */
export function subjectOf(text: string): Subject {
  let points: readonly number[] | undefined;
  return {
    text,
    points: () => {
      points ??= codePoints(text);
      return points;
    },
  };
}

/** Says whether a subject as a whole matches one pattern. */
export type Matcher = (subject: Subject) => boolean;

/**
 * Compiles a pattern: `*` and `**` are any run of characters, none and line ends among them, `?` is exactly
 * one code point, all else is itself. A pattern that ends in space-star also matches without that tail.
 */
export function compilePattern(pattern: string): Matcher {
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === "*") end -= 1;
  const whole = compileAnchored(pattern);
  if (end === pattern.length || pattern[end - 1] !== " ") return whole;
  const start = pattern.slice(0, end - 1);
  if (!/[*?]/.test(start)) return startsOrIs(start);
  const tailless = compileAnchored(start);
  return (subject) => whole(subject) || tailless(subject);
}

/** Most rules name a command and let its arguments be: they are matched without a detour. */
function startsOrIs(start: string): Matcher {
  const withTail = `${start} `;
  return ({ text }) => text.startsWith(start) && (text === start || text.startsWith(withTail));
}

function compileAnchored(pattern: string): Matcher {
  const pieces = pattern.split(/\*+/);
  const head = pieces[0] ?? "";
  if (pieces.length === 1 && !head.includes("?")) return ({ text }) => text === head;
  const tail = pieces.length > 1 ? (pieces.at(-1) ?? "") : "";
  if (pieces.length === 2 && !pattern.includes("?")) {
    const least = head.length + tail.length;
    return ({ text }) => text.length >= least && text.startsWith(head) && text.endsWith(tail);
  }
  if (pieces.length === 1) return exactly(toSegment(head));
  const matches = spread(pieces.map(toSegment));
  const needle = neededText(pattern);
  return needle === "" ? matches : (subject) => subject.text.includes(needle) && matches(subject);
}

/**
 * A bit of what every text that matches must hold: of many rules, most are passed over by looking for it alone. It is
 * short so that looking for it in a hostile text stays cheap.
 */
function neededText(pattern: string): string {
  const literals = pattern.split(/[*?]+/);
  const longest = literals.reduce((best, one) => (one.length > best.length ? one : best), "");
  return longest.slice(0, NEEDED_LENGTH);
}

function toSegment(piece: string): Segment {
  const QUESTION = 63;
  return codePoints(piece).map((point) => (point === QUESTION ? ANY : point));
}

function exactly(segment: Segment): Matcher {
  return (subject) => {
    if (subject.text.length < segment.length) return false;
    const points = subject.points();
    return points.length === segment.length && fitsAt(segment, points, 0);
  };
}

function spread(segments: readonly Segment[]): Matcher {
  const head = segments[0] ?? [];
  const tail = segments.at(-1) ?? [];
  const middles = segments.slice(1, -1).map((segment): { length: number; find: Finder } => ({
    length: segment.length,
    find: findSegment(segment),
  }));
  const least = segments.reduce((sum, segment) => sum + segment.length, 0);
  return (subject) => {
    if (subject.text.length < least) return false;
    const points = subject.points();
    const end = points.length - tail.length;
    if (points.length < least || !fitsAt(head, points, 0) || !fitsAt(tail, points, end)) {
      return false;
    }
    let at = head.length;
    for (const middle of middles) {
      const found = middle.find(points, at, end);
      if (found < 0) return false;
      at = found + middle.length;
    }
    return true;
  };
}
