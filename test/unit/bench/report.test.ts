import { describe, expect, it } from "vitest";
import { quantile, spreadOf } from "../../../bench/frame/figures.ts";
import { readFlags } from "../../../bench/frame/flags.ts";
import { jsonReport, tableReport } from "../../../bench/frame/report.ts";
import type { Row } from "../../../bench/frame/row.ts";
import type { Result } from "../../../bench/frame/run-row.ts";

const row: Row = {
  name: "ask-1-off",
  unit: "ms",
  says: "an ask",
  goal: { ratioAtMost: 1.5 },
  open: async () => ({ value: async () => Promise.resolve(1) }),
};

const result: Result = {
  row,
  value: spreadOf([0.31, 0.29, 0.3]),
  baseline: spreadOf([0.2, 0.21, 0.19]),
  ratio: 1.5,
  reached: true,
  cpu: null,
};

const machine = { cpus: 2, model: "a processor", node: "v24.0.0", server: "2.10.0", syncMs: 0.4 };

describe("the bench report", () => {
  it("the reader of the JSON finds unit, median, baseline and ratio under the row's name", () => {
    expect(jsonReport([result])).toEqual({
      "ask-1-off": { unit: "ms", value: 0.3, baseline: 0.2, ratio: 1.5 },
    });
  });

  it("the reader of the JSON finds neither baseline nor ratio where a row has none", () => {
    const report = jsonReport([{ ...result, baseline: null, ratio: null }]);
    expect(report).toEqual({ "ask-1-off": { unit: "ms", value: 0.3 } });
  });

  it("the reader of the table finds the spread of both sides, the goal and the machine", () => {
    const table = tableReport(machine, [result]);
    expect(table).toContain("0.29 · 0.3 · 0.31");
    expect(table).toContain("0.19 · 0.2 · 0.21");
    expect(table).toContain("≤ 1.5 × baseline");
    expect(table).toContain("2 × a processor, Node v24.0.0, nats-server 2.10.0");
  });

  it("the reader of either report finds the processor time of one piece by process", () => {
    const measured = { ...result, cpu: { child: 41.26, parent: 39.5 } };
    expect(jsonReport([measured])["ask-1-off"]?.cpu).toEqual({ child: 41.3, parent: 39.5 });
    expect(tableReport(machine, [measured])).toContain(
      "- ask-1-off: an ask; µs of processor for one: child 41.3, parent 39.5",
    );
  });

  it("a quantile between two measurements lies between them", () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([7], 0.99)).toBe(7);
  });

  it("a person who names an unknown row is told the known ones", () => {
    expect(() => readFlags(["--only", "nothing"], [row])).toThrow(
      "--only names nothing; the rows are ask-1-off",
    );
  });
});
