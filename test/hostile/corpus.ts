import { type JsonPiece, largePieces, PROTOTYPE_NAMES, SMALL_PIECES } from "./json-pieces.ts";

/** One input for a border. */
export interface HostileInput {
  /** What is hostile about it. */
  readonly name: string;
  /** Made when it is asked for: a corpus holds far more of them than fit into memory. */
  readonly bytes: () => Uint8Array;
}

/** Largest body of an ask. */
export const BODY_BYTES = 256 * 1024;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** What no UTF-8 text holds. */
const BROKEN_BYTES: readonly (readonly number[])[] = [
  [0xff],
  [0x80],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0xa6],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
];

/** What readers count, look for the end of, or go one level down at. */
const RUNS = [
  "[",
  "{",
  '"',
  "\\",
  '\\"',
  "/*",
  "//\r",
  "[}",
  '["\n',
  "-",
  "0",
  ",",
  ":",
  "\n",
  '{"a":',
  '[{"',
];

/** Everything that is made of one sound JSON text, by small rules: whole, and at each of its places. */
export function* corpusOf(sound: string): Generator<HostileInput> {
  yield* wholes(sound);
  yield* changedPlaces(sound, SMALL_PIECES);
  yield* largePlaces(sound);
}

/** What stands in for the whole text, or around it. */
export function* wholes(sound: string): Generator<HostileInput> {
  const bytes = Buffer.from(sound, "utf8");
  const as = (name: string, ...parts: readonly Uint8Array[]): HostileInput => ({
    name,
    bytes: () => Buffer.concat(parts),
  });
  const text = (name: string, content: string): HostileInput => input(name, () => content);
  yield text("nothing", "");
  yield text("a blank", " ");
  yield text("NUL", "\u0000");
  yield as("a mark of byte order alone", BOM);
  yield as("a mark of byte order before it", BOM, bytes);
  yield as("as UTF-16", Buffer.from(sound, "utf16le"));
  for (const broken of BROKEN_BYTES) {
    const hex = Buffer.from(broken).toString("hex");
    yield as(`${hex} before it`, Buffer.from(broken), bytes);
    yield as(`${hex} within it`, withinText(sound, Buffer.from(broken)));
    yield as(`${hex} behind it`, bytes, Buffer.from(broken));
  }
  for (let end = 1; end < bytes.length; end += Math.ceil(bytes.length / 40)) {
    yield as(`its first ${String(end)} bytes`, bytes.subarray(0, end));
  }
  yield text("it twice", sound + sound);
  yield text("it with a comma behind", `${sound},`);
  yield text("it in a list", `[${sound}]`);
  yield text("it as a text", JSON.stringify(sound));
  yield text("it with NUL behind", `${sound}\u0000`);
  yield input("it with blanks up to the limit", () => sound.padEnd(BODY_BYTES, " "));
  yield input("it with blanks over every limit", () => sound.padEnd(4 * BODY_BYTES, " "));
  for (const { name, text: piece } of [...SMALL_PIECES, ...largePieces(BODY_BYTES)]) {
    yield text(`in its place ${name}`, piece);
  }
  for (const sign of RUNS) {
    yield input(`a run of ${JSON.stringify(sign)}`, () => sign.repeat(BODY_BYTES / sign.length));
  }
}

function withinText(sound: string, broken: Uint8Array): Buffer {
  const at = sound.lastIndexOf('"');
  return Buffer.concat([Buffer.from(sound.slice(0, at)), broken, Buffer.from(sound.slice(at))]);
}

/** A place of a JSON value: the keys and indices that lead there. */
type Place = readonly (string | number)[];

/** Stands in JSON text where a piece is put; no sound text holds it. */
const MARK = "\u{f8ff}here\u{f8ff}";

/** One change at one place each: another value, none, the value twice, the key under another name. */
function* changedPlaces(sound: string, pieces: readonly JsonPiece[]): Generator<HostileInput> {
  for (const place of placesOf(JSON.parse(sound))) {
    const where = place.join(".");
    for (const piece of pieces) {
      yield input(`${where} as ${piece.name}`, () => put(sound, place, piece.text));
    }
    yield input(`${where} left out`, () => take(sound, place));
    const key = place.at(-1);
    if (typeof key !== "string") continue;
    const own = JSON.stringify(valueAt(JSON.parse(sound), place));
    const name = JSON.stringify(key);
    for (const other of ["null", "[]", "true", '"allow"', '"approved"', "{}"]) {
      yield input(`${where} twice, first ${other}`, () =>
        put(sound, place, `${other},${name}:${own}`),
      );
      yield input(`${where} twice, then ${other}`, () =>
        put(sound, place, `${own},${name}:${other}`),
      );
    }
    for (const proto of PROTOTYPE_NAMES) {
      const beside = `${own},${JSON.stringify(proto)}:${own}`;
      yield input(`${where} with ${proto} beside it`, () => put(sound, place, beside));
    }
  }
}

/** A large value of each kind at the places of the top, and at all places one of them. */
function* largePlaces(sound: string): Generator<HostileInput> {
  const large = largePieces(BODY_BYTES - sound.length - 64);
  const places = [...placesOf(JSON.parse(sound))];
  for (const [i, place] of places.entries()) {
    const pieces = place.length === 1 ? large : [large[i % large.length] ?? large[0]];
    for (const piece of pieces) {
      if (piece === undefined) continue;
      yield input(`${place.join(".")} as ${piece.name}`, () => put(sound, place, piece.text));
    }
  }
}

function input(name: string, text: () => string): HostileInput {
  return { name, bytes: () => Buffer.from(text(), "utf8") };
}

function* placesOf(value: unknown, above: Place = []): Generator<Place> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const place = [...above, Array.isArray(value) ? Number(key) : key];
    yield place;
    yield* placesOf(inner, place);
  }
}

function valueAt(root: unknown, place: Place): unknown {
  return place.reduce((value, key) => (value as Record<string | number, unknown>)[key], root);
}

function put(sound: string, place: Place, piece: string): string {
  const root = JSON.parse(sound) as object;
  const holder = valueAt(root, place.slice(0, -1)) as Record<string | number, unknown>;
  holder[place.at(-1) ?? ""] = MARK;
  return JSON.stringify(root).replace(JSON.stringify(MARK), () => piece);
}

function take(sound: string, place: Place): string {
  const root = JSON.parse(sound) as object;
  const holder = valueAt(root, place.slice(0, -1)) as Record<string | number, unknown>;
  if (Array.isArray(holder)) holder.splice(Number(place.at(-1)), 1);
  else Reflect.deleteProperty(holder, place.at(-1) ?? "");
  return JSON.stringify(root);
}
