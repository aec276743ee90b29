import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LAYERS } from "./layers.ts";

const PAGE = fileURLToPath(new URL("../../docs/contributing.md", import.meta.url));

/** The table of rooms as the contributing page must show it. */
function roomsTable(): string {
  const rows = Object.entries(LAYERS).map(([name, room]) => {
    const imports = room.mayImport.length === 0 ? "nothing" : room.mayImport.join(", ");
    return `| ${room.tier} | \`${name}\` | ${room.does} | ${imports} |`;
  });
  return ["| tier | room | what it does | may import |", "| --- | --- | --- | --- |", ...rows].join(
    "\n",
  );
}

it("the contributing page shows the table of rooms as the test reads it", () => {
  const page = readFileSync(PAGE, "utf8");
  const shown = /<!-- rooms:begin -->\n([\s\S]*)\n<!-- rooms:end -->/.exec(page)?.[1];
  expect(shown).toBe(roomsTable());
});
