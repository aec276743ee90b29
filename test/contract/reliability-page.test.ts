import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${ROOT}docs/reliability.md`, "utf8");

const table = page.slice(
  page.indexOf("<!-- elsewhere:begin -->"),
  page.indexOf("<!-- elsewhere:end -->"),
);
const rows = [...table.matchAll(/^\| ([A-K]-\d\d) \| .+ \| .+ \| (.+) \|$/gm)].map(
  ([, report = "", tests = ""]) => ({ report, tests }),
);
const named = rows.flatMap(({ report, tests }) =>
  tests.split("<br>").map((one) => {
    const [, path = "", title = ""] = /^`(test\/[a-z/-]+)`: “(.+)”$/.exec(one) ?? [];
    return { report, path, title };
  }),
);

/** As many reports of a kind as there are, in their order. */
const reportsOf = (kind: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => `${kind}-${String(place + 1).padStart(2, "0")}`);

describe("the page about reliability", () => {
  it("traces every report", () => {
    expect(rows.map(({ report }) => report)).toEqual([
      ...reportsOf("A", 16),
      ...reportsOf("B", 9),
      ...reportsOf("C", 11),
      ...reportsOf("D", 14),
      ...reportsOf("E", 11),
      ...reportsOf("F", 7),
      ...reportsOf("G", 10),
      ...reportsOf("H", 13),
      ...reportsOf("I", 17),
      ...reportsOf("J", 15),
      ...reportsOf("K", 6),
    ]);
  });

  it.each(named)("names for $report a test that is there: $path, $title", ({ path, title }) => {
    const file = `${ROOT}${path}.test.ts`;
    expect(existsSync(file)).toBe(true);
    const source = readFileSync(file, "utf8");
    expect([JSON.stringify(title), `'${title}'`].some((text) => source.includes(text))).toBe(true);
  });

  it("names no test file that is not there", () => {
    const files = [...page.matchAll(/`(test\/[a-z/-]+)`/g)].map(([, path = ""]) => path);
    expect(files.length).toBeGreaterThan(named.length);
    expect(files.filter((path) => !existsSync(`${ROOT}${path}.test.ts`))).toEqual([]);
  });
});
