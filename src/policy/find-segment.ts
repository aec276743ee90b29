/** Stands for any one character in a {@link Segment}. */
export const ANY = -1;

/** Code points in a row; {@link ANY} matches whatever stands there. */
export type Segment = readonly number[];

/** Finds the first place in `points[from, to)` where the segment fits, or -1. */
export type Finder = (points: readonly number[], from: number, to: number) => number;

/** The code points of a text; a lone surrogate is a character of its own. */
export function codePoints(text: string): number[] {
  const points: number[] = [];
  for (const character of text) points.push(character.codePointAt(0) ?? 0);
  return points;
}

/** Says whether the segment fits `points` at exactly `at`. */
export function fitsAt(segment: Segment, points: readonly number[], at: number): boolean {
  for (let i = 0; i < segment.length; i += 1) {
    const wanted = segment[i];
    if (wanted !== ANY && wanted !== points[at + i]) return false;
  }
  return true;
}

/**
 * Prepares the search for one segment. Without {@link ANY} a search looks at each point at most twice;
 * with it, the work per point is one step for every 32 characters of the segment. No input makes it go back.
 */
export function findSegment(segment: Segment): Finder {
  return segment.includes(ANY) ? bitParallel(segment) : byPrefixTable(segment);
}

function byPrefixTable(segment: Segment): Finder {
  const borders = [0];
  for (let i = 1, border = 0; i < segment.length; i += 1) {
    while (border > 0 && segment[i] !== segment[border]) border = borders[border - 1] ?? 0;
    if (segment[i] === segment[border]) border += 1;
    borders.push(border);
  }
  return (points, from, to) => {
    let matched = 0;
    for (let at = from; at < to; at += 1) {
      while (matched > 0 && points[at] !== segment[matched]) matched = borders[matched - 1] ?? 0;
      if (points[at] === segment[matched]) matched += 1;
      if (matched === segment.length) return at - matched + 1;
    }
    return -1;
  };
}

function bitParallel(segment: Segment): Finder {
  const words = Math.ceil(segment.length / 32);
  const anything = new Uint32Array(words);
  setBits(anything, segment, ANY);
  const masks = new Map<number, Uint32Array>();
  for (const point of segment) {
    if (point === ANY || masks.has(point)) continue;
    const mask = anything.slice();
    setBits(mask, segment, point);
    masks.set(point, mask);
  }
  const last = segment.length - 1;
  return (points, from, to) => {
    const state = new Uint32Array(words);
    for (let at = from; at < to; at += 1) {
      const mask = masks.get(points[at] ?? ANY) ?? anything;
      let carry = 1;
      for (let word = 0; word < words; word += 1) {
        const before = state[word] ?? 0;
        state[word] = ((before << 1) | carry) & (mask[word] ?? 0);
        carry = before >>> 31;
      }
      if (((state[last >>> 5] ?? 0) >>> (last & 31)) & 1) return at - last;
    }
    return -1;
  };
}

function setBits(mask: Uint32Array, segment: Segment, point: number): void {
  segment.forEach((wanted, i) => {
    if (wanted === point) mask[i >>> 5] = (mask[i >>> 5] ?? 0) | (1 << (i & 31));
  });
}
