import { extentOf, wrapLine } from "./columns.ts";
import { visibleCut } from "./visible-text.ts";

/** One labelled field of a dialog before it is laid out. */
export interface Field {
  /** The product's own word for a core fact, whatever the requester wrote for evidence. */
  readonly label: string;
  readonly value: string;
  readonly detail: string | null;
  /** Evidence is indented, so that its label cannot pose as a core fact. */
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
const EVIDENCE_INDENT = "  ";
const HANGING_INDENT = "    ";
const NARROWEST_TEXT = 8;
const LONGEST_BLANK_RUN = 3;

/** Lays a field out: label, then the text indented under its own beginning. */
export function layOut(field: Field, width: number, bounds: FieldBounds): LaidOut {
  const label = visibleCut(field.label, bounds.max === null ? null : LONGEST_LABEL);
  const text = visibleCut(field.value, bounds.max, true);
  const detail = field.detail === null ? null : visibleCut(field.detail, bounds.max, true);
  const folded = bounds.foldBlank ? foldBlankLines(text.text) : { text: text.text, cut: false };
  const body = detail === null ? folded.text : `${folded.text} (${detail.text})`;
  return {
    rows: place(label.text, body, field.isEvidence, width),
    cut: label.cut || text.cut || folded.cut || detail?.cut === true,
  };
}

function place(label: string, body: string, isEvidence: boolean, width: number): string[] {
  const own = isEvidence ? EVIDENCE_INDENT : "";
  const first = `${(own + label).padEnd(LABEL_COLUMNS)} : `;
  const taken = extentOf(first);
  if (taken + NARROWEST_TEXT <= width) {
    const indent = " ".repeat(taken);
    return wrapBody(body, width - taken).map((row, i) => (i === 0 ? first : indent) + row);
  }
  return [
    ...wrapLine(label, width - own.length).map((row) => own + row),
    ...wrapBody(body, width - HANGING_INDENT.length).map((row) => HANGING_INDENT + row),
  ];
}

function wrapBody(body: string, width: number): readonly string[] {
  return body.split("\n").flatMap((line) => wrapLine(line, width));
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
