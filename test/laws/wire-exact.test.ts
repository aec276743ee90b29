import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ask } from "../../src/ask/ask.ts";
import { ask as schema } from "../../src/wire/ask.ts";
import { decision as decisionSchema } from "../../src/wire/decision.ts";
import { encodeAsk, encodeDec } from "../../src/wire/encode.ts";
import { readExactAsk } from "../../src/wire/exact-ask.ts";
import { readExactDecision } from "../../src/wire/exact-decision.ts";
import { runs } from "../support/random-tests.ts";
import { someAsk, someDecision } from "../support/wire-arbitraries.ts";

type Body = Record<string, unknown>;

/** One change of a body anywhere inside: at the place that `turns` leads to a value is put, taken or added. */
const someChange = fc.record({
  turns: fc.array(fc.nat(30), { maxLength: 5 }),
  how: fc.constantFrom("put", "take", "add"),
  value: fc.constantFrom<unknown>(
    null,
    0,
    -1,
    Number.POSITIVE_INFINITY,
    "",
    "x",
    "\ud800",
    true,
    [],
    {},
    [[]],
    "bash",
  ),
});

type Change = typeof someChange extends fc.Arbitrary<infer C> ? C : never;

function changed(body: Body, { turns, how, value }: Change): Body {
  const root = structuredClone(body);
  let place: Body = root;
  let name = "";
  for (const turn of [0, ...turns]) {
    const inner = name === "" ? place : place[name];
    if (typeof inner !== "object" || inner === null) break;
    place = inner as Body;
    const names = Object.keys(place);
    name = names[turn % Math.max(1, names.length)] ?? "";
  }
  if (how === "take") Reflect.deleteProperty(place, name);
  else place[how === "add" ? "extra" : name] = value;
  return root;
}

const bodyOf = (text: string): Body => JSON.parse(text) as Body;

function isFrozenThroughout(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout);
}

/** The bytes that whoever passes an ask on writes. */
const written = (read: Ask | null): string | null => (read === null ? null : encodeAsk(read));

describe("the quick reading of an ask", () => {
  it("takes every ask that a child of this revision writes, as the schema takes it", () => {
    fc.assert(
      fc.property(someAsk, (ask) => {
        const read = readExactAsk(bodyOf(encodeAsk(ask)));
        const parsed = schema.parse(bodyOf(encodeAsk(ask)));
        expect(read).toEqual(parsed);
        expect(written(read)).toBe(written(parsed));
        expect(isFrozenThroughout(Object.freeze(read))).toBe(true);
      }),
    );
  });

  it("leaves to the schema whatever it does not take just as the schema does", () => {
    fc.assert(
      fc.property(someAsk, fc.array(someChange, { minLength: 1, maxLength: 2 }), (ask, changes) => {
        const body = changes.reduce(changed, bodyOf(encodeAsk(ask)));
        const read = readExactAsk(structuredClone(body));
        expect([null, schema.safeParse(body).data]).toContainEqual(read);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("the quick reading of a decision", () => {
  const written = someDecision.map((message) => bodyOf(encodeDec({ kind: "decision", message })));

  it("takes every decision of a rule, as the schema takes it", () => {
    const decidedBy = { kind: "rule", surface: "bash", pattern: null, origin: "global" };
    fc.assert(
      fc.property(written, (body) => {
        const read = readExactDecision({ ...structuredClone(body), decidedBy: { ...decidedBy } });
        expect(read).toEqual(decisionSchema.parse({ ...body, decidedBy }));
        expect(isFrozenThroughout(Object.freeze(read))).toBe(true);
      }),
    );
  });

  it("leaves to the schema whatever it does not take just as the schema does", () => {
    fc.assert(
      fc.property(written, fc.array(someChange, { maxLength: 2 }), (whole, changes) => {
        const body = changes.reduce(changed, whole);
        const read = readExactDecision(structuredClone(body));
        expect([null, decisionSchema.safeParse(body).data]).toContainEqual(read);
      }),
      { numRuns: runs(2000) },
    );
  });
});
