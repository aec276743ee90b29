import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYLOAD_KINDS, type PromptPayload } from "../../src/ask/payload.ts";
import { columnsOf, wrapLine } from "../../src/render/columns.ts";
import { type DialogOptions, renderDialog } from "../../src/render/dialog.ts";
import { visibleText } from "../../src/render/visible-text.ts";
import { hostileText } from "../support/hostile-text.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** A budget that nothing here exceeds. */
const ENOUGH = 1_000_000;
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(arbitrary, { nil: null });

const payload: fc.Arbitrary<PromptPayload> = fc.record({
  kind: fc.constantFrom(...PAYLOAD_KINDS),
  request: fc.record({
    requester: fc.record({
      agentName: orNull(hostileText),
      forwarded: fc.boolean(),
      sessionId: orNull(hostileText),
    }),
    surface: hostileText,
    toolName: orNull(hostileText),
    invokedToolName: orNull(hostileText),
    value: hostileText,
    matchedPattern: orNull(hostileText),
    commandContext: fc.constantFrom("subshell", null),
    executedUnit: orNull(hostileText),
  }),
  evidence: fc.array(
    fc.record({ label: hostileText, text: hostileText, detail: orNull(hostileText) }),
    { maxLength: 5 },
  ),
  annotations: fc.constant([]),
});

const options: fc.Arbitrary<DialogOptions> = fc.record({
  width: fc.integer({ min: 20, max: 200 }),
  maxRows: orNull(fc.integer({ min: 1, max: 60 })),
  fieldMaxWidth: orNull(fc.integer({ min: 1, max: 600 })),
  forwarded: fc.boolean(),
});

const bounded: fc.Arbitrary<DialogOptions & { maxRows: number }> = options.chain((view) =>
  fc.integer({ min: 1, max: 60 }).map((maxRows) => ({ ...view, maxRows })),
);

function columnsOfRow(row: string): number {
  return Array.from(row).reduce((sum, character) => sum + columnsOf(character), 0);
}

describe("every dialog", () => {
  test("shows no invisible character and no row wider than the screen", () => {
    fc.assert(
      fc.property(payload, options, (ask, view) => {
        for (const row of renderDialog(ask, view).rows) {
          expect(row).not.toMatch(INVISIBLE);
          expect(row.isWellFormed()).toBe(true);
          expect(row.length).toBeLessThanOrEqual(view.width);
          expect(columnsOfRow(row)).toBeLessThanOrEqual(view.width);
        }
      }),
    );
  });

  test("takes no more rows than allowed beyond its core and the note", () => {
    fc.assert(
      fc.property(payload, bounded, (ask, view) => {
        const core = renderDialog({ ...ask, evidence: [] }, view).rows.length;
        const { rows } = renderDialog(ask, view);
        expect(rows.length).toBeLessThanOrEqual(Math.max(view.maxRows, core + 1));
      }),
    );
  });

  test("keeps its core whatever the evidence, and evidence whole or absent from the first that does not fit", () => {
    fc.assert(
      fc.property(payload, bounded, (ask, view) => {
        const dialog = renderDialog(ask, view);
        const roomy = { ...view, maxRows: ENOUGH };
        const core = renderDialog({ ...ask, evidence: [] }, roomy).rows;
        const whole = renderDialog(ask, roomy).rows;
        const note = Number(dialog.hiddenRows > 0);
        const shown = dialog.rows.slice(0, dialog.rows.length - note);
        expect(whole.slice(0, shown.length)).toEqual(shown);
        const ends = ask.evidence.map((_, i) => {
          const evidence = ask.evidence.slice(0, i + 1);
          return renderDialog({ ...ask, evidence }, roomy).rows.length;
        });
        expect([core.length, ...ends]).toContain(shown.length);
        expect(dialog.hiddenRows).toBe(whole.length - shown.length);
      }),
    );
  });

  test("says how many rows of evidence it hides", () => {
    fc.assert(
      fc.property(payload, options, (ask, view) => {
        const { hiddenRows, elided, rows } = renderDialog(ask, view);
        fc.pre(hiddenRows > 0);
        expect(elided).toBe(true);
        expect(rows.at(-1)).toContain(String(hiddenRows));
      }),
    );
  });

  test("hides and cuts nothing in the complete view", () => {
    fc.assert(
      fc.property(payload, fc.integer({ min: 20, max: 200 }), (ask, width) => {
        const view = { width, maxRows: null, fieldMaxWidth: null, forwarded: true };
        const { rows, elided, hiddenRows } = renderDialog(ask, view);
        expect([elided, hiddenRows]).toEqual([false, 0]);
        const text = rows
          .map((row) => row.trim())
          .join("")
          .replace(/\s/g, "");
        for (const line of ask.request.value.split("\n")) {
          expect(text).toContain(visibleText(line).replace(/\s/g, ""));
        }
      }),
    );
  });

  test("begins a row at the margin for core facts and its note alone", () => {
    const labels =
      /^(?:requester|session  |host     |tool     |called as|surface  |rule     |value    |runs     |context  |missing  ) : /;
    fc.assert(
      fc.property(payload, options, (ask, view) => {
        const atMargin = renderDialog(ask, view).rows.filter((row) => !row.startsWith(" "));
        const facts = atMargin.filter((row) => labels.test(row));
        expect(new Set(facts.map((row) => row.slice(0, 9))).size).toBe(facts.length);
        for (const row of atMargin) expect(row).toMatch(/^[a-z+…]/);
        expect(atMargin.length - facts.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("every wrapped line", () => {
  test("is its rows joined together", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 8, max: 200 }), (text, width) => {
        const line = visibleText(text);
        expect(wrapLine(line, width).join("")).toBe(line);
      }),
    );
  });

  test("is wrapped in time linear in its length", () => {
    for (const piece of ["x", "日", "\u0301", "a "]) {
      const rows = wrapLine(piece.repeat(250_000 / piece.length), 80);
      expect(rows.join("").length).toBe(250_000);
    }
  });
});

describe("every visible text", () => {
  test("holds nothing invisible and is stable when shown again", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(
          /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        );
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});
