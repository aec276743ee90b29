/** A value as it stands in JSON text: some of these no writer of JSON would ever write. */
export interface JsonPiece {
  readonly name: string;
  readonly text: string;
}

const KIB = 1024;

/** Names that every object of the language has already. */
export const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
  "then",
] as const;

/** Texts that subjects, headers, files and screens would take for something else than a name. */
export const HOSTILE_NAMES: readonly string[] = [
  ...PROTOTYPE_NAMES,
  "",
  " ",
  ".",
  "..",
  "*",
  ">",
  "a.b",
  "a.*.>",
  "\u0000",
  "a\u0000b",
  "a\r\nAf-Proof: x",
  "a\r\n\r\nPUB x 1",
  "\n",
  "\t",
  "\u001b[2J\u001b]0;owned\u0007",
  "\u009b1A",
  "\u202eevila\u202c",
  "\u200b\u2060\ufeff",
  "\u{e0041}\u{1f980}",
  "=41",
  "=hAAAA",
  "../../etc/passwd",
  "~/.ssh/id",
  "$(id)",
  "'; DROP TABLE record; --",
  "\ufffd\uffff",
];

const SHORT_TEXTS: readonly JsonPiece[] = HOSTILE_NAMES.map((name) => ({
  name: `the text ${JSON.stringify(name)}`,
  text: JSON.stringify(name),
}));

const NUMBERS = [
  "0",
  "-0",
  "-1",
  "1.5",
  "1e308",
  "-1e308",
  "1e999",
  "5e-324",
  "9007199254740993",
  "18446744073709551616",
  "9".repeat(4 * KIB),
  '"1"',
  '"1e9"',
  '"0x10"',
  '"NaN"',
];

const SHAPES = [
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '{"":0}',
  '{"length":4294967295}',
  '{"toString":1,"valueOf":1}',
  '{"toString":null}',
  '{"toJSON":"x"}',
  '{"then":1}',
  '{"__proto__":{"approved":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"approved":true}}}',
];

const HALF_TEXTS = ['"\\ud800"', '"\\udc00x"', '"a\\ud83d"', '"\\u0000"', '"\\ufeff"'];

const named = (text: string): JsonPiece => ({
  name: text.length > 60 ? `${text.slice(0, 60)}…` : text,
  text,
});

/** Small values for every place. */
export const SMALL_PIECES: readonly JsonPiece[] = [
  ...SHORT_TEXTS,
  ...[...NUMBERS, ...SHAPES, ...HALF_TEXTS].map(named),
];

/** A list, an object or both, nested so deep. */
function nested(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

/** Values of about `bytes` bytes, each of another kind. */
export function largePieces(bytes: number): readonly JsonPiece[] {
  const many = (text: string): string => text.repeat(Math.ceil(bytes / text.length));
  const list = (item: string): string => `[${many(`${item},`).slice(0, -1)}]`;
  return [
    { name: "one long text", text: `"${"x".repeat(bytes)}"` },
    { name: "a text of escapes", text: `"${many("\\u0001")}"` },
    { name: "a text of quotes", text: `"${many('\\"')}"` },
    { name: "a text of signs nobody sees", text: `"${many("\u202e")}"` },
    { name: "a text of lines", text: `"${many("\\r\\n")}"` },
    { name: "a text of marks on one letter", text: `"a${many("\u0301")}"` },
    { name: "a text of stars", text: `"${many("*")}"` },
    { name: "a text of dots", text: `"${many(".")}"` },
    { name: "a text of brackets", text: `"${many("(")}"` },
    { name: "a text of substitutions", text: `"${many("$(")}"` },
    { name: "a text of secrets", text: `"${many("token=")}"` },
    { name: "a list of lists", text: list("[]") },
    { name: "a list of texts", text: list('"x"') },
    { name: "a list of objects", text: list("{}") },
    { name: "an object of one key", text: `{${many('"a":1,').slice(0, -1)}}` },
    { name: "an object of many keys", text: `{${manyKeys(bytes)}}` },
    { name: "deep lists", text: nested("[", "]", bytes / 2) },
    { name: "deep objects", text: `${'{"a":'.repeat(bytes / 6)}1${"}".repeat(bytes / 6)}` },
    { name: "a long number", text: "9".repeat(bytes) },
  ];
}

function manyKeys(bytes: number): string {
  return Array.from({ length: Math.ceil(bytes / 12) }, (_, i) => `"k${String(i)}":1`).join(",");
}
