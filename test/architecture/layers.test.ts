import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { walkImports } from "./imports.ts";
import { layerFaults } from "./judge-layers.ts";
import { LAYERS, type Room } from "./layers.ts";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

const TABLE: Record<string, Room> = {
  low: { tier: 0, does: "", mayImport: [] },
  high: { tier: 1, does: "", mayImport: ["low"] },
};

const tierOf = (room: string): number => LAYERS[room]?.tier ?? Number.POSITIVE_INFINITY;

function faultsOf(files: Record<string, string>, layers: Record<string, Room> = TABLE): string[] {
  const root = mkdtempSync(join(tmpdir(), "layers-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return layerFaults(walkImports(root), layers);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe("the direction of imports", () => {
  it("src keeps to the table of rooms", () => {
    expect(layerFaults(walkImports(SRC), LAYERS)).toEqual([]);
  });

  it("a lower tier never may import a higher or equal one, roles among them", () => {
    const upward = Object.entries(LAYERS).flatMap(([name, room]) =>
      room.mayImport
        .filter((target) => tierOf(target) > room.tier)
        .map((target) => `${name} -> ${target}`),
    );
    expect(upward).toEqual([]);
  });
});

describe("the judge of imports", () => {
  it("accepts an import the table allows", () => {
    expect(faultsOf({ "low/a.ts": "", "high/b.ts": 'import { a } from "../low/a.ts";' })).toEqual(
      [],
    );
  });

  it.each([
    ["a value import", 'import { b } from "../high/b.ts";'],
    ["a type import", 'import type { B } from "../high/b.ts";'],
    ["a re-export", 'export { b } from "../high/b.ts";'],
    ["a bare import", 'import "../high/b.ts";'],
    ["an import call", 'const b = await import("../high/b.ts");'],
    ["an import over lines", 'import {\n  b,\n} from "../high/b.ts";'],
  ])("names %s against the direction", (_name, text) => {
    expect(faultsOf({ "low/a.ts": text, "high/b.ts": "" })).toEqual([
      "low/a.ts imports high/b.ts: low may not import high",
    ]);
  });

  it("names a cycle in the table", () => {
    const layers = { ...TABLE, low: { tier: 0, does: "", mayImport: ["high"] } };
    expect(faultsOf({ "low/a.ts": "" }, layers)).toContain("high and low form a cycle");
  });

  it("names a folder that is no room", () => {
    expect(faultsOf({ "utils/a.ts": "" })).toEqual(["utils/a.ts is in no room of the table"]);
  });

  it("names a file that switches the cycle rule off", () => {
    const text = "// oxlint-disable-next-line import/no-cycle";
    expect(faultsOf({ "low/a.ts": text })).toEqual(["low/a.ts switches the cycle rule off"]);
  });

  it("is red when the walk found no file", () => {
    expect(faultsOf({})).toEqual(["the walk found no source file"]);
  });
});
