import { isIncomplete } from "../ask/carried.ts";
import type { GrantPattern } from "../ask/grant.ts";
import type { TerminalAsk } from "../ask/ports.ts";
import { extentOf, frontOf, wrapLine } from "../render/columns.ts";
import { type Dialog, renderDialog } from "../render/dialog.ts";
import { visibleCut, visibleText } from "../render/visible-text.ts";
import { bothDirections } from "./ruling.ts";
import type { DialogState } from "./tui-keys.ts";

/** What stands between the title and the keys of a dialog, all of it. */
export interface View {
  /** The title, or only as much of it as one row holds. */
  readonly title: (short: boolean) => readonly string[];
  readonly rows: readonly string[];
  /** Rows from the first that are core facts. */
  readonly coreRows: number;
  /** Rows from the first that must have been on the screen before an approval counts. */
  readonly mustSee: number;
  /** Whether a row tells what is hidden. */
  readonly isNote: (row: string) => boolean;
  /** Whether anything is cut or left out. */
  readonly elided: boolean;
}

/** What a view is made from. */
export interface ViewOptions {
  readonly ask: TerminalAsk;
  readonly state: DialogState;
  readonly maxRows: number;
  readonly fieldMaxWidth: number;
}

/** Makes the view of an ask, or of the question that is asked in between. */
export function viewOf(options: ViewOptions, width: number): View {
  const { ask, state } = options;
  if (state.stage === "confirm") return confirmView(ask, state, width);
  const dialog = dialogOf(options, width);
  const lastRow = dialog.rows.at(-1);
  return {
    title: titleOf(dialog.title, width),
    rows: dialog.rows,
    coreRows: dialog.coreRows,
    mustSee: dialog.coreRows,
    isNote: (row) => dialog.hiddenRows > 0 && row === lastRow,
    elided: dialog.elided,
  };
}

/** The grants an approval for longer would leave behind. */
export function grantsOf({ details }: TerminalAsk): readonly GrantPattern[] {
  return details.sessionApproval?.grants ?? [];
}

/** Whether the grants of an ask would allow more if they reached both directions of their paths. */
export function hasWidth(ask: TerminalAsk): boolean {
  const given = new Set(grantsOf(ask).map(grantText));
  return bothDirections(grantsOf(ask)).some((grant) => !given.has(grantText(grant)));
}

/** A grant in one line of visible text. */
export function grantText({ surface, pattern }: GrantPattern): string {
  return visibleText(`${surface}: ${pattern}`);
}

/** Whatever of a visible text one row holds, with a `…` where it was cut. */
export function oneRow(text: string, width: number): string {
  return extentOf(text) <= width ? text : `${frontOf(text, width - 1)}…`;
}

/** Wraps a text so that every row but the first is indented: what it quotes cannot pose as a row of its own. */
export function hanging(text: string, width: number): readonly string[] {
  const [first = "", ...more] = wrapLine(text, width);
  const rest = more.join("");
  if (rest === "") return [first];
  return [first, ...wrapLine(rest, width - INDENT.length).map((row) => INDENT + row)];
}

const INDENT = "    ";

const LONGEST_SESSION = 60;

function confirmView(ask: TerminalAsk, state: DialogState, width: number): View {
  const { pending } = state;
  const incomplete = isIncomplete(ask.details.payload)
    ? ["Not all evidence came along: what is missing was too large, and nobody here can see it."]
    : [];
  const given = pending === "allow" ? [] : grantsOf(ask);
  const grants = state.width === "family" ? bothDirections(given) : given;
  const child = ask.details.forwarding?.requesterSessionId ?? "this one";
  const whom =
    pending === "allow_for_session"
      ? `session ${visibleCut(child, LONGEST_SESSION).text}`
      : "every child";
  const about =
    grants.length === 0 ? [] : [`This would also allow, for ${whom}, without asking again:`];
  // Only a grant begins like this: what goes on is indented.
  const rules = grants.map((grant) => `- ${grantText(grant)}`);
  const rows = [...incomplete, ...about, ...rules].flatMap((line) => hanging(line, width));
  return {
    title: titleOf(
      grants.length === 0 ? "Allow it without all evidence?" : "Give this grant?",
      width,
    ),
    rows,
    coreRows: 0,
    mustSee: rows.length,
    isNote: () => false,
    elided: false,
  };
}

function titleOf(title: string, width: number): View["title"] {
  return (short) => (short ? [oneRow(title, width)] : wrapLine(title, width));
}

const lastDrawn = new WeakMap<TerminalAsk, { readonly key: string; readonly dialog: Dialog }>();

/** A complete view can be thousands of rows, and every key draws it anew: the last one is kept. */
function dialogOf({ ask, state, maxRows, fieldMaxWidth }: ViewOptions, width: number): Dialog {
  const key = JSON.stringify([width, state.full, maxRows, fieldMaxWidth]);
  const last = lastDrawn.get(ask);
  if (last?.key === key) return last.dialog;
  const dialog = renderDialog(ask.details.payload, {
    width,
    maxRows: state.full ? null : maxRows,
    fieldMaxWidth: state.full ? null : fieldMaxWidth,
    forwarded: ask.details.forwarding !== null,
    via: ask.details.forwarding?.via ?? [],
  });
  lastDrawn.set(ask, { key, dialog });
  return dialog;
}
