import { countRows, extentOf, wrapLine } from "./columns.ts";
import { visibleCut } from "./visible-text.ts";

/** One labelled field of a dialog before it is laid out. */
export interface Field {
  /** The product's own word for a core fact, whatever the requester wrote for evidence. */
  readonly label: string;
  readonly value: string;
  readonly detail: string | null;
  /** Every row of evidence bears a mark of its own, so that none can pose as a core fact or as more of one. */
  readonly isEvidence: boolean;
}

/** The rows of one field and whether the field was cut. */
export interface LaidOut {
  readonly rows: readonly string[];
  readonly cut: boolean;
}

/** How a field is bounded. */
export interface FieldBounds {
  /** UTF-16 units of the value and of the detail each; null for all. */
  readonly max: number | null;
  /** Whether a long run of blank lines is told instead of shown. */
  readonly foldBlank: boolean;
}

const LABEL_COLUMNS = 9;
const LONGEST_LABEL = 40;
/** What every row of evidence begins with, and no other row. */
export const EVIDENCE_MARK = "| ";
const HANGING_INDENT = 4;
const NARROWEST_TEXT = 8;
const LONGEST_BLANK_RUN = 3;

/** Lays a field out: label, then the text indented under its own beginning. */
export function layOut(field: Field, width: number, bounds: FieldBounds): LaidOut {
  const { above, first, next, body, room, cut } = placeField(field, width, bounds);
  const rows = body
    .split("\n")
    .flatMap((line) => wrapLine(line, room))
    .map((row, i) => (i === 0 ? first : next) + row);
  return { rows: [...above, ...rows], cut };
}

/** How many rows {@link layOut} makes of a field. */
export function countFieldRows(field: Field, width: number, bounds: FieldBounds): number {
  const { above, body, room } = placeField(field, width, bounds);
  return body.split("\n").reduce((sum, line) => sum + countRows(line, room), above.length);
}

/** A field whose rows are not made yet. */
interface Placed {
  /** Rows of a label that leaves no room beside it. */
  readonly above: readonly string[];
  /** What stands before the first row of the body, and before the others. */
  readonly first: string;
  readonly next: string;
  readonly body: string;
  /** Columns of the body. */
  readonly room: number;
  readonly cut: boolean;
}

function placeField(field: Field, width: number, bounds: FieldBounds): Placed {
  const label = visibleCut(field.label, bounds.max === null ? null : LONGEST_LABEL);
  const text = visibleCut(field.value, bounds.max, true);
  const detail = field.detail === null ? null : visibleCut(field.detail, bounds.max, true);
  const folded = bounds.foldBlank ? foldBlankLines(text.text) : { text: text.text, cut: false };
  const body = detail === null ? folded.text : `${folded.text} (${detail.text})`;
  const cut = label.cut || text.cut || folded.cut || detail?.cut === true;
  const own = field.isEvidence ? EVIDENCE_MARK : "";
  const first = `${(own + label.text).padEnd(LABEL_COLUMNS)} : `;
  const taken = extentOf(first);
  if (taken + NARROWEST_TEXT <= width) {
    const next = own.padEnd(taken);
    return { above: [], first, next, body, room: width - taken, cut };
  }
  const next = own.padEnd(HANGING_INDENT);
  const above = wrapLine(label.text, width - own.length).map((row) => own + row);
  return { above, first: next, next, body, room: width - next.length, cut };
}

/** Tells long runs of blank lines, which would push what follows them out of sight, by their number. */
function foldBlankLines(text: string): { readonly text: string; readonly cut: boolean } {
  let cut = false;
  const lines: string[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length > LONGEST_BLANK_RUN) {
      lines.push(`[${run.length} blank lines]`);
      cut = true;
    } else lines.push(...run);
    run = [];
  };
  for (const line of text.split("\n")) {
    if (line.trim() === "") run.push(line);
    else {
      endRun();
      lines.push(line);
    }
  }
  endRun();
  return { text: lines.join("\n"), cut };
}
