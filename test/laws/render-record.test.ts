import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundRecord } from "../../src/render/bound-record.ts";
import { redactBound } from "../../src/render/redact.ts";
import { REDACTED } from "../../src/render/sensitive-names.ts";
import { hostileText } from "../support/hostile-text.ts";
import { runs } from "../support/random-tests.ts";

/** Pieces that begin, end, name or hold secrets. */
const PIECES = [
  "token",
  "password",
  "PASS''WORD",
  "api_key",
  "api\u00a0key",
  "to\u200bken",
  "ｔｏｋｅｎ",
  "secret",
  "=",
  ":",
  ": ",
  ": |\n  ",
  " = ",
  "=>",
  "://",
  "@",
  "&",
  ";",
  "|",
  ",",
  " ",
  "\n",
  "\t",
  "--",
  "-",
  "$",
  "${",
  "}",
  "'",
  '"',
  "`",
  "\\",
  '\\"',
  "(",
  ")",
  "[",
  "]",
  "{",
  "[redacted]",
  "[redacted",
  "Bearer ",
  "$TOKEN",
  "$(",
  "-----BEGIN PRIVATE KEY-----",
  "-----END",
  "set -x ",
  "\\u0074",
  "%74",
  "\u001b[31m",
  "\ud800",
  "x",
  "S3",
] as const;

const secret = fc.stringMatching(/^Zq[A-Za-z0-9!#%*+,.:@^_~-]{6,30}Zq$/);
const name = fc
  .tuple(
    fc.constantFrom("", "DB_", "my-", "x", "app."),
    fc.constantFrom(
      "authorization",
      "api_key",
      "api-key",
      "apiKey",
      "secret",
      "token",
      "PASSWORD",
      "passwd",
      "credentials",
      "Cookie",
      "private_key",
      "PrivateKey",
    ),
    fc.constantFrom("", "_V2", "s", "-id"),
  )
  .map((parts) => parts.join(""));

/** Ways to bind a secret to a name; each is followed by more of the command. */
const BINDINGS: readonly ((name: string, secret: string) => string)[] = [
  (n, s) => `${n}=${s}`,
  (n, s) => `${n}="${s} ${s}"`,
  (n, s) => `${n}='${s} ${s}'`,
  (n, s) => `${n}=$'${s}'`,
  (n, s) => `export ${n}=${s}`,
  (n, s) => `--${n}=${s}`,
  (n, s) => `--${n} ${s}`,
  (n, s) => `--${n} "${s} ${s}"`,
  (n, s) => `-H "${n}: ${s}"`,
  (n, s) => `-H '${n}: Bearer ${s}'`,
  (n, s) => `-H ${n}:${s}`,
  (n, s) => `-d '{"a":1,"${n}":"${s}"}'`,
  (n, s) => `-d '{"${n}":["${s}"],"b":2}'`,
  (n, s) => `-d "{\\"${n}\\": \\"${s}\\"}"`,
  (n, s) => `'https://host/?${n}=${encodeURIComponent(s)}&b=1'`,
  (n, s) => `set -x ${n} ${s}`,
  (n, s) => `bash -c '${n}=${s} run'`,
  (n, s) => `python -c "${n} = '${s}'"`,
  (n, s) => `cat <<EOF\n${n}: ${s}\nEOF\n`,
  (n, s) => `cat <<EOF\na:\n  ${n}: |\n    ${s}\n\n    ${s}\n  b: c\nEOF\n`,
];

const bound = fc.tuple(fc.constantFrom(...BINDINGS), name, secret).map(([bind, n, s]) => ({
  text: bind(n, s),
  secret: s,
}));

const plainWord = fc.constantFrom(
  "curl",
  "-s",
  "host",
  "&&",
  "ls",
  "|",
  "cat",
  "a.txt",
  "'q q'",
  '"p p"',
);
const harmless = fc.array(plainWord, { maxLength: 6 }).map((words) => words.join(" "));

describe("every record", () => {
  test("has lost a secret that was bound to a name in a command", () => {
    fc.assert(
      fc.property(harmless, bound, harmless, (before, { text, secret: planted }, after) => {
        const command = `${before} ${text} ${after}`;
        const kept = JSON.stringify(
          boundRecord(
            { units: [{ value: command }], evidence: [{ text: command }] },
            { maxWidth: 9_999 },
          ),
        );
        expect(kept).not.toContain(planted);
        expect(kept).not.toContain(encodeURIComponent(planted));
        expect(kept).toContain("[redacted]");
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("has lost what stood under a sensitive key that was disguised", () => {
    const disguise = fc.array(fc.constantFrom(...UNSEEN, ...QUOTED), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(name, disguise, (key, ways) => {
        const written = Array.from(key, (letter, i) => ways[i % ways.length]?.(letter)).join("");
        const kept = boundRecord({ body: { [written]: ["Zq-planted-Zq"] } });
        expect(JSON.stringify(kept)).not.toContain("Zq-planted-Zq");
      }),
    );
  });

  test("has lost what stood under a sensitive key, at any depth and of any type", () => {
    const planted = "Zq-planted-Zq";
    const value = fc.oneof(
      fc.constant(planted),
      fc.constant([planted]),
      fc.constant({ a: { b: planted } }),
    );
    fc.assert(
      fc.property(
        name,
        value,
        fc.array(fc.oneof(fc.string(), fc.constant(0))),
        (key, leaf, path) => {
          const kept = boundRecord({ body: nested({ [key]: leaf }, path) });
          expect(JSON.stringify(kept)).not.toContain(planted);
        },
      ),
    );
  });

  test("has no text beyond its width, none with half a character, and keeps its shape", () => {
    const leaf = fc.oneof(
      hostileText,
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.integer(),
      fc.constant(null),
    );
    const body = fc.dictionary(
      fc.constantFrom("a", "b", "value", "command"),
      fc.oneof(leaf, fc.array(leaf)),
    );
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 60 }), (given, maxWidth) => {
        const kept = boundRecord(given, { maxWidth });
        expect(Object.keys(kept)).toEqual(Object.keys(given));
        for (const [key, value] of Object.entries(kept).flatMap(([k, v]) =>
          [v].flat().map((x) => [k, x] as const),
        )) {
          expect(key).not.toBe("");
          expect(lengthOf(value)).toBeLessThanOrEqual(maxWidth + 1);
        }
      }),
    );
  });
});

/** Ways to write a letter so that a name looks the same, or is the same once it is read. */
const UNSEEN: readonly ((letter: string) => string)[] = [
  (letter) => `${letter}\u200b`,
  (letter) => `${letter}\u00ad`,
  (letter) => `${letter}\u2060\ufe0f`,
  (letter) => `${letter}\u0332`,
  (letter) => letter.replace(/[!-~]/g, (sign) => String.fromCodePoint(0xfee0 + sign.charCodeAt(0))),
  (letter) =>
    letter.replace(/[a-z]/g, (sign) => String.fromCodePoint(0x1d3b9 + sign.charCodeAt(0))),
  (letter) => letter.replace(/[_-]/g, "\u00a0").replace(/^\u00a0$/, "_"),
];

/** The same where a shell takes quotes and backslashes away. */
const QUOTED: readonly ((letter: string) => string)[] = [
  (letter) => `${letter}''`,
  (letter) => `${letter}""`,
  (letter) => `\\${letter}`,
  (letter) => `'${letter}'`,
  (letter) => `"${letter}"`,
];

/** Ways to bind a secret to a name that stands in no quotes. */
const UNQUOTED: readonly ((name: string, secret: string) => string)[] = [
  (n, s) => `${n}=${s}`,
  (n, s) => `${n}="${s} ${s}"`,
  (n, s) => `env ${n}='${s} ${s}' run`,
  (n, s) => `--${n}=${s}`,
  (n, s) => `--${n} ${s}`,
  (n, s) => `--${n} "${s} ${s}"`,
  (n, s) => `-H ${n}:${s}`,
  (n, s) => `set -x ${n} ${s}`,
];

function disguised(
  bindings: readonly ((name: string, secret: string) => string)[],
  ways: readonly ((letter: string) => string)[],
): fc.Arbitrary<{ readonly text: string; readonly secret: string }> {
  const picks = fc.array(fc.option(fc.constantFrom(...ways)), { minLength: 1, maxLength: 40 });
  return fc.tuple(fc.constantFrom(...bindings), name, secret, picks).map(([bind, n, s, pick]) => ({
    text: bind(Array.from(n, (letter, i) => pick[i % pick.length]?.(letter) ?? letter).join(""), s),
    secret: s,
  }));
}

const inDisguise = fc.oneof(
  disguised(BINDINGS, UNSEEN),
  disguised(UNQUOTED, [...UNSEEN, ...QUOTED]),
);

/** Texts made to lead a reader of names, signs and quotes astray. */
const astray = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: name },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

describe("every redacted text", () => {
  test("has lost a secret whose name was disguised", () => {
    fc.assert(
      fc.property(harmless, inDisguise, harmless, (before, { text, secret: planted }, after) => {
        const kept = redactBound(`${before} ${text} ${after}`);
        expect(kept).not.toContain(planted);
        expect(kept).not.toContain(encodeURIComponent(planted));
      }),
      { numRuns: 2_000 },
    );
  });

  test("stays as it is when it is redacted again, and is not much longer than what was given", () => {
    fc.assert(
      fc.property(astray, (text) => {
        const once = redactBound(text);
        expect(redactBound(once)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(3 * text.length + REDACTED.length);
      }),
      { numRuns: 3_000 },
    );
  });

  test("stays as it is when it is redacted again or holds no sensitive word", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, harmless), (text) => {
        fc.pre(!/token|secret|passw|cookie|credential|authorization|key|:\/\//i.test(text));
        expect(redactBound(text)).toBe(text);
      }),
    );
  });
});

/** Puts a value into lists (0) and objects (a key), innermost first. */
function nested(leaf: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((body, step) => (step === 0 ? [body] : { [step]: body }), leaf);
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
