import type { Spread } from "./figures.ts";
import type { Machine } from "./machine.ts";
import type { Goal } from "./row.ts";
import type { Result } from "./run-row.ts";

/** What `--json` prints, by row. */
export interface JsonFigure {
  readonly unit: string;
  readonly value: number;
  readonly baseline?: number;
  readonly ratio?: number;
  /** Microseconds of processor for one piece, by process. */
  readonly cpu?: Readonly<Record<string, number>>;
}

/** The results as one object: medians, rounded to what they can carry. */
export function jsonReport(results: readonly Result[]): Readonly<Record<string, JsonFigure>> {
  return Object.fromEntries(
    results.map(({ row, value, baseline, ratio, cpu }) => [
      row.name,
      {
        unit: row.unit,
        value: rounded(value.median),
        ...(baseline === null ? {} : { baseline: rounded(baseline.median) }),
        ...(ratio === null ? {} : { ratio: rounded(ratio) }),
        ...(cpu === null ? {} : { cpu: roundedAll(cpu) }),
      },
    ]),
  );
}

/** The machine and the results as a table in Markdown, which reads well as plain text too. */
export function tableReport(machine: Machine, results: readonly Result[]): string {
  const head = ["row", "unit", "value: min · median · max", "baseline", "ratio", "goal", "reached"];
  const rows = results.map(({ row, value, baseline, ratio, reached }) => [
    row.name,
    row.unit,
    spread(value),
    baseline === null ? "" : spread(baseline),
    ratio === null ? "" : figure(ratio),
    goalText(row.goal),
    reached ? "yes" : "no",
  ]);
  const { cpus, model, node, server, syncMs } = machine;
  const told = results.map(({ row, cpu }) => `- ${row.name}: ${row.says}${cpuText(cpu)}`);
  return [
    `${String(cpus)} × ${model}, Node ${node}, nats-server ${server}, 4 KiB on disk in ${figure(syncMs)} ms`,
    "",
    ...table([head, ...rows]),
    "",
    ...told,
    "",
  ].join("\n");
}

function table(lines: readonly (readonly string[])[]): readonly string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const drawn = lines.map((line) => {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `| ${cells.join(" | ")} |`;
  });
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [drawn[0] ?? "", rule, ...drawn.slice(1)];
}

function goalText({ atMost, atLeast, ratioAtMost, ratioAtLeast }: Goal): string {
  const bounds = [
    ...(atMost === undefined ? [] : [`≤ ${figure(atMost)}`]),
    ...(atLeast === undefined ? [] : [`≥ ${figure(atLeast)}`]),
    ...(ratioAtMost === undefined ? [] : [`≤ ${figure(ratioAtMost)} × baseline`]),
    ...(ratioAtLeast === undefined ? [] : [`≥ ${figure(ratioAtLeast)} × baseline`]),
  ];
  return bounds.join(" or ");
}

function cpuText(cpu: Readonly<Record<string, number>> | null): string {
  if (cpu === null) return "";
  const each = Object.entries(cpu).map(([name, us]) => `${name} ${figure(us)}`);
  return `; µs of processor for one: ${each.join(", ")}`;
}

function roundedAll(cpu: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(cpu).map(([name, us]) => [name, rounded(us)]));
}

function spread({ min, median, max }: Spread): string {
  return [min, median, max].map(figure).join(" · ");
}

function figure(value: number): string {
  return rounded(value).toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** Three digits: more than that differs from run to run. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
