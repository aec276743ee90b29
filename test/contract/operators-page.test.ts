import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { CONTROL_OPS, CONTROL_REFUSALS } from "../../src/ask/control.ts";

const PAGE = readFileSync(
  fileURLToPath(new URL("../../docs/operators.md", import.meta.url)),
  "utf8",
);

it("the page on operators has a row for every reason of a refusal, and for no other", () => {
  const table = PAGE.slice(PAGE.indexOf("| `why` |"), PAGE.indexOf("Messages and limits"));
  const firsts = table
    .split("\n")
    .slice(2)
    .map((row) => row.split("|")[1])
    .join();
  const named = [...firsts.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(CONTROL_REFUSALS));
});

it.each(CONTROL_OPS)("the page on operators names %s among what operators may do", (op) => {
  const [, ops = ""] = PAGE.split("`operatorOps`");
  expect(ops).toContain(`\`${op}\``);
});
