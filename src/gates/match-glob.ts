/** Says whether a character can stand in one place of a name. */
type Place = (character: string) => boolean;

const ANY_RUN = null;

/**
 * Compiles one segment of a shell's pattern: `*`, `?`, sets in brackets, a backslash before what is itself. Where
 * shells differ by their language settings, it matches what any of them may.
 */
export function compileSegment(segment: string): (name: string) => boolean {
  const places: (Place | typeof ANY_RUN)[] = [];
  for (let at = 0; at < segment.length; ) {
    const character = String.fromCodePoint(segment.codePointAt(at) ?? 0);
    if (character === "*") places.push(ANY_RUN);
    else if (character === "?") places.push(() => true);
    else if (character === "[") {
      const end = endOfSet(segment, at);
      if (end > 0) {
        places.push(setOf(segment.slice(at + 1, end)));
        at = end + 1;
        continue;
      }
      places.push((one) => one === "[");
    } else {
      const own = character === "\\" ? segment.charAt((at += 1)) : character;
      places.push((one) => one === own);
      at += own.length;
      continue;
    }
    at += character.length;
  }
  const showsHidden = /^\\?\./.test(segment);
  return (name) => (showsHidden || !name.startsWith(".")) && fits(places, Array.from(name));
}

/** Says whether a segment names anything but one file. */
export function isPattern(segment: string): boolean {
  const plain = segment.replace(/\\./gs, "");
  return /[*?]|\[.*\]/s.test(plain);
}

/** The name that a segment which is no pattern stands for. */
export function nameOf(segment: string): string {
  return segment.replace(/\\(.)/gs, "$1");
}

function endOfSet(segment: string, open: number): number {
  let at = open + 1;
  if (/[!^]/.test(segment.charAt(at))) at += 1;
  // A bracket that comes first is one of the set.
  if (segment.charAt(at) === "]") at += 1;
  for (; at < segment.length; at += 1) {
    const inner = /^\[([:.=]).*?\1\]/s.exec(segment.slice(at));
    if (inner !== null) at += inner[0].length - 1;
    else if (segment.charAt(at) === "\\") at += 1;
    else if (segment.charAt(at) === "]") return at;
  }
  return -1;
}

function setOf(body: string): Place {
  // Classes of characters and orders of languages are not followed.
  if (/\[[:.=]/.test(body)) return () => true;
  const isNegated = /^[!^]/.test(body);
  const members = body.slice(isNegated ? 1 : 0);
  if (isNegated) return (one) => !includes(members, one);
  return (one) => [one, one.toLowerCase(), one.toUpperCase()].some((it) => includes(members, it));
}

function includes(members: string, character: string): boolean {
  const own = [...members.matchAll(/\\?(.)(?:(-)\\?(.))?/gsu)];
  return own.some(([, from = "", range, to = ""]) =>
    range === undefined ? from === character : from <= character && character <= to,
  );
}

/** Walks both once, and goes back to the last run alone: no pattern takes long. */
function fits(places: readonly (Place | null)[], name: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let run = -1;
  let from = 0;
  while (at < name.length) {
    const wanted = places[place];
    if (wanted === ANY_RUN) {
      run = place;
      from = at;
      place += 1;
    } else if (wanted?.(name[at] ?? "") === true) {
      at += 1;
      place += 1;
    } else if (run >= 0) {
      place = run + 1;
      from += 1;
      at = from;
    } else return false;
  }
  return places.slice(place).every((one) => one === ANY_RUN);
}
