/** A text in which names are written plainly, and where each of its units stands in the original. */
export interface Folded {
  readonly text: string;
  /** Index in the original of the unit at `index`; the original's length for the end of the text. */
  readonly origin: (index: number) => number;
}

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
const ODD = /[^\t\n\r !#$&(-[\]^_a-~]/;
const UNPLAIN = /[^\t\n\r\x20-\x7e]/u;
/** Ways to write a sign by its number, and a line that goes on. */
const NUMBERED =
  /\\(?:u\{([0-9a-f]{1,6})\}|[uU]([0-9a-f]{4,8})|x([0-9a-f]{2})|([0-7]{3})|\n)|%([0-9a-f]{2})/i;
/** Which group of them is octal. */
const OCTAL = 3;
/** Colours and movements of a screen, with all that belongs to them. */
const SCREEN = "\\u001b\\[[0-?]*[ -/]*[@-~]";
const CANDIDATE = new RegExp(`${NUMBERED.source}|${SCREEN}|${UNPLAIN.source}`, "giu");
const DROPPED = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}]$/u;
const DASH = /^\p{Pd}$/u;
const OF_NAMES = /^[\w.=:-]+$/;
const OF_NUMBERS = /^[\w.-]$/;

/**
 * Folds what only looks different in a name: signs of compatibility (full width, ligatures, mathematical letters),
 * signs nobody sees, marks, escapes of a letter's number and lines that go on. Everything else stays, quotes and
 * blanks above all, so that the folded text has the structure of the original. Takes time linear in the text.
 */
export function foldNames(text: string): Folded {
  if (isPlain(text) || (PLAIN.test(text) && !NUMBERED.test(text))) {
    return { text, origin: (index) => index };
  }
  let folded = "";
  let done = 0;
  // What is as it was between two changes: from where in the folded text, and by how much it moved.
  const starts: number[] = [0];
  const shifts: number[] = [0];
  for (const match of text.matchAll(CANDIDATE)) {
    const [whole] = match;
    const plain = foldOne(match);
    if (plain === whole) continue;
    folded += text.slice(done, match.index);
    // Of what became several signs, each stands where it came from.
    for (let at = 0; at < plain.length; at += 1) {
      starts.push(folded.length + at);
      shifts.push(match.index - folded.length - at);
    }
    folded += plain;
    done = match.index + whole.length;
    starts.push(folded.length);
    shifts.push(done - folded.length);
  }
  folded += text.slice(done);
  return { text: folded, origin: (index) => index + (shifts[lastAtMost(starts, index)] ?? 0) };
}

/** Whether a text surely holds nothing to fold, and no quotes: most do, and this tells so in no time. */
export function isPlain(text: string): boolean {
  return !ODD.test(text);
}

/** A name as {@link foldNames} writes it. */
export function foldName(name: string): string {
  return foldNames(name).text;
}

function foldOne(match: RegExpExecArray): string {
  const [whole] = match;
  return foldNumbered(match) ?? (isUnseen(whole) ? "" : foldLook(whole));
}

/** A sign that was written by its number; null when none was. Only signs of names are read: others are structure. */
function foldNumbered(match: RegExpExecArray): string | null {
  const groups: readonly (string | undefined)[] = match.slice(1);
  const at = groups.findIndex((group) => group !== undefined);
  if (at < 0) return null;
  const code = Number.parseInt(groups[at] ?? "", at === OCTAL ? 8 : 16);
  const sign = code < 0x80 ? String.fromCharCode(code) : "";
  return OF_NUMBERS.test(sign) ? sign : match[0];
}

/** Also what a screen obeys, and a line end that a backslash takes away. */
function isUnseen(whole: string): boolean {
  return whole.length > 2 || DROPPED.test(whole) || whole === "\\\n";
}

function foldLook(sign: string): string {
  if (DASH.test(sign)) return "-";
  const plain = sign.normalize("NFKC");
  return OF_NAMES.test(plain) ? plain : sign;
}

/** Index of the last of the growing `starts` that is at most `index`. */
function lastAtMost(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
