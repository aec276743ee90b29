import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { REVIEW_EVENTS } from "../../src/ask/record.ts";
import { ENTRY_SHAPES, FIELDS, KIND_SHAPES } from "../support/record-fields.ts";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const WRITING = ["child", "parent", "chain", "journal", "cli"];

/** The text of every room that writes records. */
const source = WRITING.flatMap((room) =>
  readdirSync(join(SRC, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(SRC, room, name), "utf8")),
).join("\n");

const shapes = [...Object.values(ENTRY_SHAPES), ...Object.values(KIND_SHAPES)].flat();

describe("the description of records", () => {
  it("describes each event that the source writes, and no other", () => {
    const written = REVIEW_EVENTS.filter((event) => source.includes(`"${event}"`));
    expect(written).toEqual(REVIEW_EVENTS.filter((event) => ENTRY_SHAPES[event] !== undefined));
  });

  it("says of each field what it holds, and of no field that no record has", () => {
    const named = new Set(
      shapes.flatMap(({ fields }) => fields.map((name) => name.replace("?", ""))),
    );
    expect([...named].sort()).toEqual(Object.keys(FIELDS).sort());
  });

  it("names no field of a record twice", () => {
    const doubled = shapes.filter(({ fields }) => new Set(fields).size < fields.length);
    expect(doubled).toEqual([]);
  });
});
