import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isIncomplete, isNotCarried, shedEvidence } from "../../../src/ask/carried.ts";
import type { PromptPayload } from "../../../src/ask/payload.ts";
import { aPayload } from "../../support/payloads.ts";

/** Sheds once, where something must be there to shed. */
function shed(payload: PromptPayload): PromptPayload {
  const smaller = shedEvidence(payload);
  if (smaller === null) throw new Error("nothing was shed");
  return smaller;
}

const entry = (text: string) => ({ label: "input", text, detail: null });

describe("evidence that does not fit", () => {
  test("the largest entry is replaced by its beginning, size and digest first", () => {
    const large = "x".repeat(5_000);
    const payload = aPayload({}, { evidence: [entry("y".repeat(3_000)), entry(large)] });
    const smaller = shed(payload);
    const digest = createHash("sha256").update(large).digest("base64url");
    expect(smaller.evidence).toEqual([
      entry("y".repeat(3_000)),
      {
        label: "input",
        text: "x".repeat(2_048),
        detail: `not carried: 5000 bytes, sha256 ${digest}`,
      },
    ]);
    expect(payload.evidence[1]?.text).toBe(large);
  });

  test("a payload becomes smaller until nothing is left to leave out", () => {
    const payload = aPayload(
      {},
      { evidence: [entry("y".repeat(3_000)), entry("x".repeat(5_000))] },
    );
    const once = shed(payload);
    const twice = shed(once);
    expect(twice.evidence.map(isNotCarried)).toEqual([true, true]);
    expect(shedEvidence(twice)).toBeNull();
    expect(shedEvidence(aPayload({}, { evidence: [entry("small")] }))).toBeNull();
    expect(shedEvidence(aPayload())).toBeNull();
  });

  test("a character is never split", () => {
    const { evidence } = shed(aPayload({}, { evidence: [entry(`a${"🦀".repeat(1_000)}`)] }));
    expect(evidence[0]?.text).toBe(`a${"🦀".repeat(511)}`);
  });

  test("a payload says whether all of it came along", () => {
    const payload = aPayload({}, { evidence: [entry("x".repeat(5_000))] });
    expect(isIncomplete(payload)).toBe(false);
    expect(isIncomplete(shed(payload))).toBe(true);
  });
});
