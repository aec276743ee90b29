import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TerminalAsk } from "../../../src/ask/ports.ts";
import { drawFrame, type Frame, SMALLEST } from "../../../src/cli/tui-frame.ts";
import { type DialogState, FIRST_STATE } from "../../../src/cli/tui-keys.ts";
import { paintOf } from "../../../src/cli/tui-paint.ts";
import { extentOf } from "../../../src/render/columns.ts";
import { hostileText } from "../../support/hostile-text.ts";
import { aTerminalAsk } from "../../support/terminal-asks.ts";

interface Seen {
  readonly columns?: number;
  readonly rows?: number;
  readonly state?: Partial<DialogState>;
  readonly colour?: boolean;
  readonly isArmed?: boolean;
  readonly typed?: string;
  readonly note?: string;
}

function draw(ask: TerminalAsk, seen: Seen = {}): Frame {
  const { columns = 80, rows = 24, isArmed = true, typed = "", note = "" } = seen;
  return drawFrame({
    ask,
    state: { ...FIRST_STATE, ...seen.state },
    waiting: 39,
    columns,
    rows,
    maxRows: 24,
    fieldMaxWidth: 400,
    isArmed,
    typed,
    note,
    paint: paintOf(seen.colour ?? false),
  });
}

const stages = fc.constantFrom<Partial<DialogState>>(
  {},
  { full: true },
  { full: true, top: 7 },
  { stage: "reason" },
  { stage: "confirm", pending: "allow" },
  { stage: "confirm", pending: "allow_for_session" },
  { stage: "confirm", pending: "allow_for_serving_session", top: 3 },
);

const hostileAsk = fc
  .tuple(hostileText, hostileText, hostileText, hostileText)
  .map(([value, label, text, session]) =>
    aTerminalAsk(
      { value, executedUnit: text },
      {
        payload: { evidence: [{ label, text, detail: value }] },
        grants: [{ surface: label, pattern: text }],
        session,
      },
    ),
  );

describe("a dialog on a screen", () => {
  it("never takes more rows or columns than there are, and never sends a raw control byte", () => {
    fc.assert(
      fc.property(
        fc.record({
          ask: hostileAsk,
          state: stages,
          columns: fc.integer({ min: 20, max: 200 }),
          rows: fc.integer({ min: 1, max: 60 }),
          typed: hostileText,
          isArmed: fc.boolean(),
        }),
        ({ ask, ...seen }) => {
          const { rows } = draw(ask, seen);
          expect(rows.length).toBeLessThanOrEqual(seen.rows);
          for (const row of rows) {
            expect(extentOf(row)).toBeLessThan(seen.columns);
            expect(row).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
          }
        },
      ),
    );
  });

  it("keeps to screens of any size, down to a single cell", () => {
    fc.assert(
      fc.property(
        fc.record({
          ask: hostileAsk,
          state: stages,
          columns: fc.integer({ min: 2, max: 19 }),
          rows: fc.integer({ min: 1, max: 12 }),
        }),
        ({ ask, ...seen }) => {
          const { rows, facts } = draw(ask, seen);
          expect(rows.length).toBeLessThanOrEqual(seen.rows);
          for (const row of rows) expect(extentOf(row)).toBeLessThan(seen.columns);
          expect(facts.page).toBe(0);
        },
      ),
    );
  });

  it("says the same with colour as without", () => {
    fc.assert(
      fc.property(hostileAsk, stages, (ask, state) => {
        const coloured = draw(ask, { state, colour: true }).rows;
        expect(coloured.map(stripVTControlCharacters)).toEqual(draw(ask, { state }).rows);
      }),
    );
  });

  it("lets nothing that others wrote begin a row beside its own words", () => {
    const posing = `x\n${"Enter allows. ".repeat(40)}`;
    const ask = aTerminalAsk(
      { value: posing },
      { grants: [{ surface: "bash", pattern: posing }], session: `worker ${posing}` },
    );
    for (const columns of [20, 33, 40, 80, 200]) {
      for (const state of [{}, { stage: "confirm", pending: "allow_for_session" } as const]) {
        const { rows } = draw(ask, { columns, state });
        expect(rows.filter((row) => /^(?:Enter )?allows/.test(row))).toEqual([]);
      }
    }
  });

  it.each([
    [20, 6],
    [30, 8],
    [40, 10],
    [60, 12],
    [80, 24],
  ])(
    "shows value, keys and default at %d columns and %d rows, by paging at most",
    (columns, rows) => {
      const ask = aTerminalAsk(
        { value: "rm -rf b" },
        { grants: [{ surface: "bash", pattern: "rm *" }] },
      );
      const first = draw(ask, { columns, rows });
      const pages = Array.from({ length: first.facts.lastTop + 1 }, (_, top) =>
        draw(ask, { columns, rows, state: { top } }).rows.join("\n"),
      );
      expect(pages.join("\n")).toContain("rm -rf b");
      for (const page of pages) {
        expect(page).toMatch(/^y .*/m);
        expect(page).toContain("Enter denies.");
      }
    },
  );

  it("says on the last row what a key in the way of an approval does", () => {
    const ask = aTerminalAsk({ value: "make ".repeat(60) });
    expect(draw(ask, { rows: 10 }).rows.at(-1)).toBe("y first shows the rest. Enter denies.");
    expect(draw(ask, { rows: 60 }).rows.at(-1)).toBe("Enter denies.");
    expect(draw(ask, { isArmed: false }).rows.at(-1)).toBe("Keys work in a moment.");
  });

  it("tells how often an ask was put to somebody before, and what did not come along", () => {
    const evidence = [
      { label: "input", text: "{", detail: "not carried: 300000 bytes, sha256 abc" },
    ];
    const ask = aTerminalAsk({}, { payload: { evidence }, ask: { reprompt: 2 } });
    const { rows, facts } = draw(ask);
    expect(rows).toContain("Put to somebody 2 times before.");
    expect(rows).toContain("Not all evidence came along.");
    expect(facts.incomplete).toBe(true);
  });

  it("names every grant in the question before they are given", () => {
    const grants = [
      { surface: "bash", pattern: "git push *" },
      { surface: "path_write", pattern: "/srv/*" },
    ];
    const ask = aTerminalAsk({}, { grants });
    expect(draw(ask).rows).toContain("c and s would also allow (and 1 more): bash: git push *");
    const state = { stage: "confirm", pending: "allow_for_serving_session" } as const;
    const asked = draw(ask, { state }).rows;
    expect(asked).toContain("This would also allow, for every child, without asking again:");
    expect(asked).toContain("- bash: git push *");
    expect(asked).toContain("- path_write: /srv/*");
  });

  it("shows a screen that is too small how to get on, and approves nothing there", () => {
    const { rows, facts } = draw(aTerminalAsk(), { ...SMALLEST, columns: 19 });
    expect(rows.at(-1)).toBe("Enter denies.");
    expect(facts).toMatchObject({ page: 0, mustSee: 1 });
  });
});
