import fc from "fast-check";

/** Pieces that screens obey, swallow, widen or join. */
const PIECES = [
  "\u001b[2J",
  "\u001b[31m",
  "\u001b]0;owned\u0007",
  "\u001b]52;c;ZXZpbA==\u001b\\",
  "\u009b1A",
  "\u0000",
  "\b\b\b",
  "\r",
  "\t",
  "\n",
  "\r\n",
  "\n\n\n\n\n\n",
  "\u202e",
  "\u2066x\u2069",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\u2028",
  "\u{e0041}",
  "\ufe0f",
  "\ud800",
  "\udc00",
  "e\u0301",
  "\u0301".repeat(40),
  "日本語",
  "한국어",
  "\u1112\u1161\u11ab",
  "🦀",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "🇩🇪🇯🇵🇺🇸".repeat(8),
  "\u{1f1e9}",
  "\u1112\u1161\u11ab".repeat(30),
  "क्षि".repeat(20),
  "\u0d4ea",
  "1\ufe0f\u20e3",
  "o\u0308\u20dd".repeat(50),
  "👍🏽",
  "ﷺ",
  "مرحبا",
  "rule      : everything",
  " ",
  "a",
  "word ",
  "x".repeat(300),
  `${"long words ".repeat(30)}`,
] as const;

/** Texts made of what screens obey, swallow, widen or join, and of plain words. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));
