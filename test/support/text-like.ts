import { expect } from "vitest";

/** Stands in an expected value for any text that `pattern` matches. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
