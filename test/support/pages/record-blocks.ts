import type { ReviewEvent } from "../../../src/ask/record.ts";
import {
  ENTRY_SHAPES,
  FIELDS,
  KIND_SHAPES,
  RESERVED_EVENTS,
  type RecordShape,
} from "../record-fields.ts";
import { type Block, code, tableOf } from "./block.ts";

const PAGE = "docs/reference/records.md";

/** What the page on records shows of their shapes. */
export function recordBlocks(): readonly Block[] {
  return [
    { page: PAGE, name: "entries", text: shapeTable("event", ENTRY_SHAPES) },
    { page: PAGE, name: "kinds", text: shapeTable("kind", KIND_SHAPES) },
    {
      page: PAGE,
      name: "fields",
      text: tableOf(
        ["field", "what it says"],
        Object.entries(FIELDS).map(([name, text]) => [code(name), text]),
      ),
    },
    { page: PAGE, name: "reserved", text: `${RESERVED_EVENTS.map(code).join(", ")}.` },
  ];
}

type Shapes = Readonly<
  Partial<Record<ReviewEvent | "ui_prompt" | "decision", readonly RecordShape[]>>
>;

function shapeTable(head: string, shapes: Shapes): string {
  const rows = Object.entries(shapes).flatMap(([name, list]) =>
    list.map(({ by, when, fields }) => [
      code(name),
      by,
      when,
      fields
        .filter((field) => field !== "event")
        .map((field) => `\`${field.replace("?", "")}\`${field.endsWith("?") ? "?" : ""}`)
        .join(", "),
    ]),
  );
  return tableOf([head, "written by", "when", "fields"], rows);
}
