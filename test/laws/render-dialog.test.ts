import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYLOAD_KINDS, type PromptPayload } from "../../src/ask/payload.ts";
import {
  columnsOf,
  countRows,
  endOf,
  extentOf,
  frontOf,
  wrapLine,
} from "../../src/render/columns.ts";
import { type DialogOptions, renderDialog } from "../../src/render/dialog.ts";
import { visibleCut, visibleText } from "../../src/render/visible-text.ts";
import { hostileText } from "../support/hostile-text.ts";
import { aPayload } from "../support/payloads.ts";

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

  test("begins each row by what it is: a fact, more of one, evidence or the note", () => {
    const labels =
      /^(?:requester|session  |host     |tool     |called as|surface  |rule     |value    |runs     |context  |missing  ) : /;
    fc.assert(
      fc.property(payload, options, (ask, view) => {
        const { rows, coreRows, hiddenRows } = renderDialog(ask, view);
        const core = rows.slice(0, coreRows);
        const facts = core.filter((row) => labels.test(row));
        expect(new Set(facts.map((row) => row.slice(0, 9))).size).toBe(facts.length);
        expect(core.filter((row) => !/^[a-z ]/.test(row))).toEqual([]);
        expect(core.filter((row) => row.startsWith("|"))).toEqual([]);
        const note = Number(hiddenRows > 0);
        const evidence = rows.slice(coreRows, rows.length - note);
        expect(evidence.filter((row) => !row.startsWith("| "))).toEqual([]);
        for (const row of rows.slice(rows.length - note)) expect(row).toMatch(/^[+…]/);
      }),
    );
  });

  test("keeps its bounds and counts what it hides when evidence is a megabyte in one line or in many", () => {
    const piece = fc.oneof(
      fc.constantFrom("x", "a ", "日", "🇩🇪", "e\u0301", "\u001b[2J", "\n", "b\n"),
      hostileText,
    );
    const view = fc.record({
      width: fc.integer({ min: 20, max: 200 }),
      maxRows: fc.integer({ min: 1, max: 60 }),
      fieldMaxWidth: fc.constantFrom(400, null),
      forwarded: fc.boolean(),
    });
    fc.assert(
      fc.property(piece, view, (repeated, bounds) => {
        const text = repeated.repeat(Math.ceil(1_000_000 / Math.max(1, repeated.length)));
        const evidence = [{ label: "input", text, detail: null }];
        const ask = aPayload({}, { evidence });
        const { rows, coreRows, hiddenRows } = renderDialog(ask, bounds);
        expect(rows.length).toBeLessThanOrEqual(Math.max(bounds.maxRows, coreRows + 1));
        for (const row of rows) expect(row).not.toMatch(INVISIBLE);
        const all = renderDialog(ask, { ...bounds, maxRows: null });
        expect(all.rows.slice(0, coreRows)).toEqual(rows.slice(0, coreRows));
        expect([0, all.rows.length - coreRows]).toContain(hiddenRows);
      }),
      { numRuns: 6 },
    );
  });

  test("counts a hundred thousand rows of evidence that it hides", () => {
    const entry = { label: "external path", text: "/srv/a", detail: "/srv/b" };
    const evidence = Array.from({ length: 100_000 }, () => entry);
    const view = { width: 80, maxRows: 24, fieldMaxWidth: 400, forwarded: true };
    const { rows, coreRows, hiddenRows } = renderDialog(aPayload({}, { evidence }), view);
    expect(rows).toHaveLength(24);
    expect(hiddenRows).toBe(100_000 - (24 - coreRows - 1));
  });
});

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Offsets inside letters that fit a row of that width: where no row may end. */
function insidesOf(line: string, width: number): ReadonlySet<number> {
  const insides = new Set<number>();
  for (const { segment, index } of segmenter.segment(line)) {
    if (segment.length > width || columnsOfRow(segment) > width) continue;
    for (let at = 1; at < segment.length; at += 1) insides.add(index + at);
  }
  return insides;
}

describe("every wrapped line", () => {
  test("is its rows joined together, as many as were counted", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 8, max: 200 }), (text, width) => {
        const line = visibleText(text);
        const rows = wrapLine(line, width);
        expect(rows.join("")).toBe(line);
        expect(countRows(line, width)).toBe(rows.length);
      }),
    );
  });

  test("has no row that ends inside a letter which fits a row, and none wider than asked", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 2, max: 200 }), (text, width) => {
        const line = visibleText(text);
        const insides = insidesOf(line, width);
        let end = 0;
        for (const row of wrapLine(line, width)) {
          end += row.length;
          expect(insides.has(end)).toBe(false);
          expect(extentOf(row)).toBeLessThanOrEqual(width);
          expect(row.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("is wrapped in time linear in its length", () => {
    for (const piece of ["x", "日", "\u0301", "a ", "🇩🇪", "\u1161"]) {
      const rows = wrapLine(piece.repeat(252_000 / piece.length), 80);
      expect(rows.join("").length).toBe(252_000);
    }
  });
});

describe("every cut text", () => {
  test("ends with a whole letter and a whole escape, and is as long as it may be", () => {
    fc.assert(
      fc.property(
        hostileText,
        fc.integer({ min: 1, max: 80 }),
        fc.boolean(),
        (text, max, lines) => {
          const { text: shown, cut } = visibleCut(text, max, lines);
          const whole = visibleCut(text, null, lines).text;
          expect(cut).toBe(whole.length > max);
          fc.pre(cut);
          const kept = shown.slice(0, -1);
          expect(whole.startsWith(kept)).toBe(true);
          expect(kept.length).toBeLessThanOrEqual(max);
          expect(insidesOf(whole, max).has(kept.length)).toBe(false);
          const ends = Array.from(
            text,
            (character) => visibleCut(character, null, lines).text.length,
          );
          let end = 0;
          expect([0, ...ends.map((length) => (end += length))]).toContain(kept.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("has at its front and at its end whole letters that fit", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 2, max: 60 }), (text, width) => {
        const line = visibleText(text);
        const insides = insidesOf(line, width);
        const [front, end] = [frontOf(line, width), endOf(line, width)];
        expect(line.startsWith(front)).toBe(true);
        expect(line.endsWith(end)).toBe(true);
        expect(Math.max(extentOf(front), extentOf(end))).toBeLessThanOrEqual(width);
        expect(insides.has(front.length)).toBe(false);
        expect(insides.has(line.length - end.length)).toBe(false);
      }),
    );
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
