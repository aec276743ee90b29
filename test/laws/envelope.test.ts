import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CAPPED_SURFACES, capVerdict, type EnvelopeFacts } from "../../src/chain/envelope.ts";
import { aPayload } from "../support/payloads.ts";

const surface = fc.oneof(fc.constantFrom(...CAPPED_SURFACES, "bash", "mcp", ""), fc.string());
const verdict = fc.constantFrom("allow", "deny", "defer");
const facts: fc.Arbitrary<EnvelopeFacts> = fc
  .tuple(
    fc.option(surface),
    fc.option(surface, { nil: undefined }),
    fc.option(surface, { nil: undefined }),
  )
  .map(([display, gate, intent]) => ({
    surface: display,
    ...(gate === undefined ? {} : { payload: aPayload({ surface: gate }) }),
    ...(intent === undefined
      ? {}
      : { accessIntent: { surface: intent, matchValues: [], boundaryValue: null } }),
  }));

describe("envelope", () => {
  test("only ever turns an allow into a defer", () => {
    fc.assert(
      fc.property(verdict, facts, (given, ask) => {
        const outcomes = { allow: ["allow", "defer"], deny: ["deny"], defer: ["defer"] };
        expect(outcomes[given]).toContain(capVerdict(given, ask));
      }),
    );
  });

  test("never lets a link allow on a path family, whichever of the two gate surfaces names it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CAPPED_SURFACES), surface, (family, other) => {
        const intent = (name: string) => ({ surface: name, matchValues: [], boundaryValue: null });
        const byIntent = {
          surface: "bash",
          payload: aPayload({ surface: other }),
          accessIntent: intent(family),
        };
        const byPayload = {
          surface: "bash",
          payload: aPayload({ surface: family }),
          accessIntent: intent(other),
        };
        expect([capVerdict("allow", byIntent), capVerdict("allow", byPayload)]).toEqual([
          "defer",
          "defer",
        ]);
      }),
    );
  });

  test("never lets a link allow what did not come along whole", () => {
    fc.assert(
      fc.property(surface, (name) => {
        const evidence = [{ label: "input", text: "x", detail: "not carried: 9 bytes, sha256 a" }];
        const payload = aPayload({ surface: name }, { evidence });
        expect(capVerdict("allow", { surface: name, payload })).toBe("defer");
      }),
    );
  });
});
