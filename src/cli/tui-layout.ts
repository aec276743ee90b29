import { isIncomplete } from "../ask/carried.ts";
import type { TerminalAsk } from "../ask/ports.ts";
import { wrapLine } from "../render/columns.ts";
import type { DialogState } from "./tui-keys.ts";
import type { Paint } from "./tui-paint.ts";
import { grantsOf, grantText, hasWidth, oneRow, type View } from "./tui-view.ts";

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
  /** What the last key did not do; empty when there is nothing to tell. */
  readonly note: string;
  readonly paint: Paint;
}

/** How much a dialog says about itself: all, the short words, or the keys alone. */
export type Layout = "whole" | "short" | "least";

/** What the foot of a dialog is laid out from. */
export interface LayoutParts extends FrameOptions {
  /** Columns and UTF-16 units a row may take. */
  readonly width: number;
  readonly view: View;
}

/** Lays out what stands between the view and the last row, painted. */
export function layOutFoot(parts: LayoutParts, layout: Layout): readonly string[] {
  const { paint, state } = parts;
  const notes = layout === "least" ? [] : notesOf(parts, layout).map((row) => paint.warning(row));
  const status = layout === "least" ? [] : statusOf(parts, layout);
  const between = layout === "least" ? " " : " | ";
  const keys =
    state.stage === "reason"
      ? reasonHelp(parts, layout)
      : placeChoices(choicesOf(parts, layout), between, parts);
  return [...notes, ...status.map((row) => paint.quiet(row)), ...keys];
}

function notesOf(parts: LayoutParts, layout: Layout): readonly string[] {
  const { ask, state, view, width, note } = parts;
  if (state.stage === "confirm") return [];
  const rows = [isIncomplete(ask.details.payload) ? "Not all evidence came along." : ""];
  if (layout === "whole") {
    rows.push(
      view.elided ? "Something is left out here: v shows all of it." : "",
      ask.reprompt > 0 ? `Put to somebody ${timesOf(ask.reprompt)} before.` : "",
    );
  }
  if (state.stage === "reason") rows.push(note);
  return rows.filter((row) => row !== "").map((row) => oneRow(row, width));
}

/** What the grants would allow, as far as one row tells it; the question before they are given tells all. */
function grantNote(ask: TerminalAsk): string {
  const [first, ...more] = grantsOf(ask);
  if (first === undefined) return "";
  const count = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return `c and s would also allow${count}: ${grantText(first)}`;
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function statusOf(parts: LayoutParts, layout: Layout): readonly string[] {
  const { ask, waiting, width, state } = parts;
  const until = new Date(ask.expiresAt).toTimeString().slice(0, 8);
  if (layout !== "whole") return [oneRow(`${waiting} waiting, until ${until}`, width)];
  const grants = state.stage === "choose" ? grantNote(ask) : "";
  return [
    ...(grants === "" ? [] : [oneRow(grants, width)]),
    ...wrapLine(`${waiting} more waiting; this one ends at ${until}`, width),
  ];
}

/** A key and what it does, in the words of each layout. */
type Choice = readonly [key: string, whole: string, short: string];

function choicesOf({ ask, state }: LayoutParts, layout: Layout): readonly string[] {
  const choices: readonly Choice[] =
    state.stage === "confirm"
      ? [["y", "yes, allow", "allow"], ...widthChoice(ask, state), ["n", "or Enter back", "back"]]
      : [
          ["y", "allow once", "allow"],
          ...(grantsOf(ask).length > 0 ? GRANTS : []),
          ["n", "deny", "deny"],
          ["r", "deny with reason", "reason"],
          ["v", state.full ? "short view" : "complete view", state.full ? "less" : "all"],
        ];
  return choices.map(([key, whole, short]) => {
    if (layout === "least") return key;
    return `${key} ${layout === "whole" ? whole : short}`;
  });
}

const GRANTS: readonly Choice[] = [
  ["c", "allow its like for this child", "child"],
  ["s", "for every child", "every"],
];

/** The way to the other width, where there is one to choose. */
function widthChoice(ask: TerminalAsk, { pending, width }: DialogState): readonly Choice[] {
  if (pending === "allow" || !hasWidth(ask)) return [];
  return width === "proven"
    ? [["w", "reading and writing", "both"]]
    : [["w", "only what was asked", "less"]];
}

/** Sets choices side by side, each whole where a row can hold it. */
function placeChoices(
  choices: readonly string[],
  between: string,
  { width, paint }: LayoutParts,
): readonly string[] {
  const rows: string[][] = [];
  let left = 0;
  for (const choice of choices) {
    if (left < between.length + choice.length) {
      rows.push([]);
      left = width + between.length;
    }
    rows.at(-1)?.push(choice);
    left -= between.length + choice.length;
  }
  const painted = (choice: string): string => paint.key(choice.slice(0, 1)) + choice.slice(1);
  return rows.map((row) => row.map((choice) => painted(oneRow(choice, width))).join(between));
}

function reasonHelp(parts: LayoutParts, layout: Layout): readonly string[] {
  const { typed, width, paint, isArmed } = parts;
  const denies = typed.trim() === "" ? "without a reason" : "with this reason";
  const enter = isArmed ? `Enter denies ${denies}.` : "Type the reason.";
  const least = isArmed ? "Enter | Esc" : "Esc";
  const texts = { whole: `${enter} Esc goes back.`, short: enter, least };
  return [paint.key(oneRow(texts[layout], width))];
}
