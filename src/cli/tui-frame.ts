import { isIncomplete } from "../ask/carried.ts";
import type { TerminalAsk } from "../ask/ports.ts";
import { EVIDENCE_MARK } from "../render/dialog-rows.ts";
import { type DialogFacts, isSeen } from "./tui-keys.ts";
import { type FrameOptions, type Layout, type LayoutParts, layOutFoot } from "./tui-layout.ts";
import { reasonTail } from "./tui-reason.ts";
import { hasWidth, oneRow, viewOf } from "./tui-view.ts";

/** A screen of a dialog. No row is wider than the screen and all fit on it. */
export interface Frame {
  readonly rows: readonly string[];
  readonly facts: DialogFacts;
}

/** The smallest screen that an ask can be shown and approved on. */
export const SMALLEST = { columns: 20, rows: 6 } as const;

/** Rows of the view that are wanted on the screen, by layout, before a shorter layout is taken. */
const WANTED: readonly (readonly [Layout, number])[] = [
  ["whole", 6],
  ["short", 3],
  ["least", 1],
];

/**
 * Draws a dialog. Nothing that another wrote reaches the screen unescaped, and what others wrote never begins a
 * row that the dialog speaks in: it is indented or stands behind a label.
 */
export function drawFrame(options: FrameOptions): Frame {
  const { columns, rows } = options;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return drawTooSmall(options);
  // The last column stays free: a screen would break the row by itself there.
  const width = columns - 1;
  const view = viewOf(options, width);
  const parts: LayoutParts = { ...options, width, view };
  for (const [layout, wanted] of WANTED) {
    const head = view.title(layout !== "whole");
    const foot = layOutFoot(parts, layout);
    const room = rows - head.length - foot.length - 1;
    const page = view.rows.length <= room ? room : room - 1;
    if (page < Math.min(wanted, view.rows.length) && layout !== "least") continue;
    return compose(parts, { head, foot, page: Math.max(1, page) });
  }
  return drawTooSmall(options);
}

interface Composed {
  readonly head: readonly string[];
  readonly foot: readonly string[];
  readonly page: number;
}

function compose(parts: LayoutParts, { head, foot, page }: Composed): Frame {
  const { view, width, paint, state } = parts;
  const lastTop = Math.max(0, view.rows.length - page);
  const facts = { ...factsOf(parts), lastTop, page, mustSee: view.mustSee };
  const top = Math.min(state.top, lastTop);
  const shown = view.rows.slice(top, top + page);
  const range = `${top + 1}-${top + shown.length} of ${view.rows.length}`;
  const places = [`-- rows ${range}; up, down, space, home, end`, `-- ${range}; space`, "--"];
  const place = lastTop === 0 ? [] : [places.find((text) => text.length <= width) ?? ""];
  const rows = [
    ...head.map(paint.title),
    ...shown.map((row, i) => paintRow(row, top + i, parts)),
    ...place.map(paint.warning),
    ...foot,
    lastRow(parts, facts),
  ];
  return { rows, facts };
}

const LABEL = /^[a-z ]{9} : /;

/** A row that begins with a letter is a core fact: its label is quiet, so that what it says stands out. */
function paintRow(row: string, at: number, { view, paint }: LayoutParts): string {
  if (view.isNote(row)) return paint.warning(row);
  if (at >= view.coreRows) {
    const isMarked = row.startsWith(EVIDENCE_MARK);
    return isMarked ? paint.quiet(EVIDENCE_MARK) + row.slice(EVIDENCE_MARK.length) : row;
  }
  if (row.startsWith("missing ")) return paint.warning(row);
  return row.replace(LABEL, paint.quiet);
}

function lastRow(parts: LayoutParts, facts: DialogFacts): string {
  const { state, isArmed, typed, note, width } = parts;
  if (state.stage === "reason") return `Reason: ${reasonTail(typed, width - 9)}`;
  const said = note === "" ? "" : `${note} `;
  if (!isArmed) return oneRow(`${said}Keys work in a moment.`, width);
  const isShown = isSeen(state, facts);
  const first = isShown ? "" : "y first shows the rest. ";
  const enter = state.stage === "confirm" ? "Enter goes back." : "Enter denies.";
  const texts = [
    `${said}${first}${enter}`,
    `${first}${enter}`,
    isShown ? enter : `y: more. ${enter}`,
  ];
  return texts.find((text) => text.length <= width) ?? enter;
}

/** Says how to get on. Only what refuses works on such a screen. */
function drawTooSmall(options: FrameOptions): Frame {
  const { ask, rows, isArmed, state } = options;
  const width = Math.max(1, options.columns - 1);
  const { columns: wide, rows: high } = SMALLEST;
  const enter = state.stage === "confirm" ? "Enter goes back." : "Enter denies.";
  const last = isArmed ? enter : "Keys wait.";
  const said = [`An ask needs a screen of ${wide}x${high}.`, "Enlarge it to decide.", last];
  const fitting = said.slice(-Math.max(1, rows)).map((text) => text.slice(0, width));
  const facts = { ...factsOf({ ask }), lastTop: 0, page: 0, mustSee: 1 };
  return { rows: fitting, facts };
}

function factsOf({ ask }: { readonly ask: TerminalAsk }): {
  readonly hasGrants: boolean;
  readonly hasWidth: boolean;
  readonly incomplete: boolean;
} {
  const { payload, sessionApproval } = ask.details;
  return {
    hasGrants: (sessionApproval?.grants.length ?? 0) > 0,
    hasWidth: hasWidth(ask),
    incomplete: isIncomplete(payload),
  };
}
