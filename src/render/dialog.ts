import type { PromptEvidence, PromptPayload } from "../ask/payload.ts";
import { coreFacts, dialogTitle } from "./dialog-facts.ts";
import { countFieldRows, type Field, layOut } from "./dialog-rows.ts";

/** How a dialog is to be rendered. The budgets are the serving node's own, never the child's. */
export interface DialogOptions {
  /** Columns of a row; fewer than 8 count as 8. */
  readonly width: number;
  /** Rows that core and evidence may take together, 1 or more; null for all of them. */
  readonly maxRows: number | null;
  /** UTF-16 units of one field, 1 or more; null for complete fields. */
  readonly fieldMaxWidth: number | null;
  /** Whether the ask came from another session. */
  readonly forwarded: boolean;
  /** Sessions that relayed the ask, in order. @defaultValue none */
  readonly via?: readonly string[];
}

/** An ask as a person reads it. */
export interface Dialog {
  readonly title: string;
  /** Core, then evidence, then the note about what is hidden. No row holds an invisible character. */
  readonly rows: readonly string[];
  /** How many of the rows, from the first, are the core. */
  readonly coreRows: number;
  /** Whether anything was cut or left out; the complete view has both budgets null. */
  readonly elided: boolean;
  /** Rows of evidence that were left out. */
  readonly hiddenRows: number;
}

const NARROWEST = 8;

/**
 * Renders an ask for a person. The core is always whole; evidence entries are whole or absent, up to the first
 * that does not fit, and then the last row says how much is hidden. Every row fits `width` in columns and in
 * UTF-16 units. A row that begins with a letter is a core fact, and rows that begin with a blank go on with it;
 * every row of evidence begins with its mark.
 */
export function renderDialog(payload: PromptPayload, options: DialogOptions): Dialog {
  const width = Math.max(options.width, NARROWEST);
  const complete = options.maxRows === null && options.fieldMaxWidth === null;
  const core = coreFacts(payload, options.via).map(({ label, value }) =>
    layOut({ label, value, detail: null, isEvidence: false }, width, {
      max: options.fieldMaxWidth,
      foldBlank: !complete,
    }),
  );
  const evidence = payload.evidence.map(evidenceField);
  const bounds = { max: options.fieldMaxWidth, foldBlank: false };
  const coreRows = core.flatMap((fact) => fact.rows);
  const { shown, hiddenRows } = fitEntries(
    evidence,
    options.maxRows === null ? null : options.maxRows - coreRows.length,
    (field) => countFieldRows(field, width, bounds),
  );
  const entries = shown.map((field) => layOut(field, width, bounds));
  const rows = [...coreRows, ...entries.flatMap((entry) => entry.rows)];
  if (hiddenRows > 0) rows.push(hiddenNote(hiddenRows, width));
  return {
    title: dialogTitle(payload.kind, options.forwarded),
    rows,
    coreRows: coreRows.length,
    elided: hiddenRows > 0 || [...core, ...entries].some((part) => part.cut),
    hiddenRows,
  };
}

function evidenceField({ label, text, detail }: PromptEvidence): Field {
  return { label, value: text, detail, isEvidence: true };
}

/**
 * The leading entries that fit into `budget` rows, one of which the note takes when not all fit. What is hidden
 * is counted and never laid out.
 */
function fitEntries(
  entries: readonly Field[],
  budget: number | null,
  count: (entry: Field) => number,
): { readonly shown: readonly Field[]; readonly hiddenRows: number } {
  if (budget === null) return { shown: entries, hiddenRows: 0 };
  const sizes = entries.map(count);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= budget) return { shown: entries, hiddenRows: 0 };
  let taken = 0;
  let shown = 0;
  for (const size of sizes) {
    if (taken + size > budget - 1) break;
    taken += size;
    shown += 1;
  }
  return { shown: entries.slice(0, shown), hiddenRows: total - taken };
}

function hiddenNote(hiddenRows: number, width: number): string {
  const notes = [
    `… ${hiddenRows} more rows of evidence are hidden; the full view shows them`,
    `+${hiddenRows} rows hidden`,
    `+${hiddenRows}`,
  ];
  return notes.find((note) => note.length <= width) ?? "+";
}
