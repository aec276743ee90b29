import { isIncomplete } from "../ask/carried.ts";
import type { TerminalAsk } from "../ask/ports.ts";
import { wrapLine } from "../render/columns.ts";
import { renderDialog } from "../render/dialog.ts";
import { visibleText } from "../render/visible-text.ts";
import type { DialogFacts, DialogState } from "./tui-keys.ts";

/** What a screen of a dialog is drawn from. */
export interface FrameOptions {
  readonly ask: TerminalAsk;
  readonly state: DialogState;
  /** Asks that wait behind this one. */
  readonly waiting: number;
  readonly columns: number;
  readonly rows: number;
  /** Budgets of the view that is not the complete one. */
  readonly maxRows: number;
  readonly fieldMaxWidth: number;
  readonly isArmed: boolean;
  /** The reason as it is typed. */
  readonly typed: string;
  /** Makes a text stand out; gives it back as it is without colour. */
  readonly strong: (text: string) => string;
}

/** A screen of a dialog. No row is wider than the screen and all fit on it. */
export interface Frame {
  readonly rows: readonly string[];
  readonly facts: DialogFacts;
}

const SMALLEST_VIEW = 3;

/** Draws a dialog. Nothing that another wrote reaches the screen unescaped. */
export function drawFrame(options: FrameOptions): Frame {
  const { ask, state, columns, strong } = options;
  // The last column stays free: a screen would break the row by itself there.
  const width = columns - 1;
  const view = viewOf(options, width);
  const wrap = (text: string): string[] => [...wrapLine(text, width)];
  const head = wrap(view.title).map(strong);
  const foot = footOf(options, view.hint).flatMap(wrap);
  const last = lastRow(options, width);
  const page = Math.max(SMALLEST_VIEW, options.rows - head.length - foot.length - 3);
  const lastTop = Math.max(0, view.rows.length - page);
  const top = Math.min(state.top, lastTop);
  const shown = view.rows.slice(top, top + page);
  const place =
    lastTop === 0
      ? []
      : [`-- rows ${top + 1}-${top + shown.length} of ${view.rows.length}; up, down, space`];
  return {
    rows: [...head, ...shown, ...place.map((row) => row.slice(0, width)), ...foot, last],
    facts: {
      hasGrants: grantsOf(ask).length > 0,
      incomplete: isIncomplete(ask.details.payload),
      lastTop,
      page,
    },
  };
}

interface View {
  readonly title: string;
  readonly rows: readonly string[];
  readonly hint: string;
}

function viewOf(options: FrameOptions, width: number): View {
  const { ask, state } = options;
  if (state.stage === "confirm") return confirmView(ask, state, width);
  const dialog = renderDialog(ask.details.payload, {
    width,
    maxRows: state.full ? null : options.maxRows,
    fieldMaxWidth: state.full ? null : options.fieldMaxWidth,
    forwarded: ask.details.forwarding !== null,
  });
  const hint = dialog.elided ? "Something is left out here: v shows all of it." : "";
  return { title: dialog.title, rows: dialog.rows, hint };
}

function confirmView(ask: TerminalAsk, { pending }: DialogState, width: number): View {
  const incomplete = isIncomplete(ask.details.payload)
    ? ["Not all evidence came along: what is missing was too large, and nobody here can see it."]
    : [];
  const grants = pending === "allow" ? [] : grantsOf(ask);
  const whom = pending === "allow_for_session" ? `session ${childOf(ask)}` : "every child";
  const about =
    grants.length === 0 ? [] : [`This would also allow, for ${whom}, without asking again:`];
  const rules = grants.map((grant) => visibleText(`  ${grant.surface}: ${grant.pattern}`));
  return {
    title: grants.length === 0 ? "Allow it without all evidence?" : "Give this grant?",
    rows: [...incomplete, ...about, ...rules].flatMap((line) => [...wrapLine(line, width)]),
    hint: "",
  };
}

function footOf({ ask, state, waiting }: FrameOptions, hint: string): string[] {
  const until = new Date(ask.expiresAt).toTimeString().slice(0, 8);
  const status = `${waiting} more waiting; this one ends at ${until}`;
  if (state.stage === "confirm") return [status, "y yes, allow | n or Enter back"];
  if (state.stage === "reason") return [status, "Enter denies with this reason."];
  const incomplete = isIncomplete(ask.details.payload) ? "Not all evidence came along." : "";
  const grants = grantsOf(ask).length > 0 ? CHOICES_WITH_GRANT : "";
  return [
    incomplete,
    hint,
    status,
    `y allow once |${grants} n deny | r deny with reason | v ${state.full ? "short" : "complete"} view`,
  ].filter((line) => line !== "");
}

const CHOICES_WITH_GRANT = " c allow its like for this child | s for every child |";

function lastRow({ state, isArmed, typed }: FrameOptions, width: number): string {
  if (state.stage === "reason") {
    // Only the end of a long reason is on the row; the cursor stands behind it.
    const room = Math.max(8, Math.floor((width - 10) / 2));
    return `Reason: ${visibleText(typed.slice(-room)).slice(-(width - 10))}`;
  }
  if (!isArmed) return "Keys work in a moment.";
  return state.stage === "confirm" ? "Enter goes back." : "Enter denies.";
}

function grantsOf({ details }: TerminalAsk): readonly { surface: string; pattern: string }[] {
  return details.sessionApproval?.grants ?? [];
}

function childOf({ details }: TerminalAsk): string {
  return details.forwarding?.requesterSessionId ?? "this one";
}
