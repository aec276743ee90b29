import type { PromptEvidence, PromptPayload } from "../ask/payload.ts";
import { coreFacts, dialogTitle } from "./dialog-facts.ts";
import { type LaidOut, layOut } from "./dialog-rows.ts";

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
 * UTF-16 units. A row that begins with a letter is a core fact: text of others is always indented.
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
  const evidence = payload.evidence.map((entry) => layOutEvidence(entry, width, options));
  const coreRows = core.flatMap((fact) => fact.rows);
  const shown = shownEntries(
    evidence.map((entry) => entry.rows.length),
    options.maxRows === null ? null : options.maxRows - coreRows.length,
  );
  const hiddenRows = evidence.slice(shown).reduce((sum, entry) => sum + entry.rows.length, 0);
  const rows = [...coreRows, ...evidence.slice(0, shown).flatMap((entry) => entry.rows)];
  if (hiddenRows > 0) rows.push(hiddenNote(hiddenRows, width));
  return {
    title: dialogTitle(payload.kind, options.forwarded),
    rows,
    coreRows: coreRows.length,
    elided: hiddenRows > 0 || [...core, ...evidence.slice(0, shown)].some((part) => part.cut),
    hiddenRows,
  };
}

function layOutEvidence(entry: PromptEvidence, width: number, options: DialogOptions): LaidOut {
  return layOut(
    { label: entry.label, value: entry.text, detail: entry.detail, isEvidence: true },
    width,
    { max: options.fieldMaxWidth, foldBlank: false },
  );
}

/** How many leading entries fit into `budget` rows, one of which the note takes when not all fit. */
function shownEntries(sizes: readonly number[], budget: number | null): number {
  if (budget === null) return sizes.length;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= budget) return sizes.length;
  let left = budget - 1;
  let shown = 0;
  for (const size of sizes) {
    if (size > left) break;
    left -= size;
    shown += 1;
  }
  return shown;
}

function hiddenNote(hiddenRows: number, width: number): string {
  const notes = [
    `… ${hiddenRows} more rows of evidence are hidden; the full view shows them`,
    `+${hiddenRows} rows hidden`,
    `+${hiddenRows}`,
  ];
  return notes.find((note) => note.length <= width) ?? "+";
}
