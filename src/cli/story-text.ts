import { deciderOf, describeEntry } from "../audit/describe-entry.ts";
import type { StoryNode } from "../audit/order-story.ts";
import { textIn, valueIn } from "../audit/read-record.ts";
import type { Story } from "../audit/story.ts";
import { extentOf } from "../render/columns.ts";
import { visibleText } from "../render/visible-text.ts";
import { column, fit, span, stamp, wrapped } from "./audit-text.ts";

const MOST_NAME = 24;
const LEAST_NAME = 7;
const INDENT = 2;
/** Room for what happened that names make way for, and what it has at least on a narrower screen. */
const GOOD_WHAT = 20;
const LEAST_WHAT = 10;

/**
 * An ask's story for a person: what was asked, how it ended, then one line a record with the time since the
 * story began, the time since what caused it, the session and what happened; at last what is known of the clocks.
 */
export function storyText(story: Story, width: number): string {
  const head = headOf(story).flatMap((line) => wrapped(line, width, INDENT));
  const foot = footOf(story).flatMap((line) => wrapped(line, width, INDENT));
  const lines = [...head, "", ...tableOf(story, width), ...foot];
  return lines.map((line) => `${line}\n`).join("");
}

function headOf({ requestId, entries, nodes, ending }: Story): readonly string[] {
  const about = entries.find(({ record }) => textIn(record, "value") !== null)?.record;
  const surface = about === undefined ? "" : (textIn(about, "surface") ?? "");
  const value = about === undefined ? "" : (textIn(about, "value") ?? "");
  const start = entries[0]?.record.head.time;
  return [
    `${requestId}  ${start === undefined ? "" : stamp(start)}`,
    ...(value === "" ? [] : [`${surface}: ${value}`]),
    `${nodes.map(({ session }) => session).join(" → ")}: ${endingText(ending, entries.at(-1)?.at ?? 0)}`,
  ];
}

function endingText(ending: Story["ending"], tookMs: number): string {
  if (ending === null) return "its end is not in this store";
  const result = textIn(ending, "result") === "allow" ? "allowed" : "denied";
  const lost = textIn(ending, "lost");
  const decider = deciderOf(valueIn(ending, "decidedBy"));
  const how = lost === null ? result : `lost (${lost})`;
  const by = decider === "" ? "" : ` by ${decider}`;
  return `${how}${by} after ${span(tookMs)}`;
}

function tableOf({ entries, nodes }: Story, width: number): readonly string[] {
  const rows = entries.map(({ at, took, hop, record }, place) => ({
    at: span(Math.max(0, at)),
    took: place === 0 ? "" : tookText(took),
    name: `${"  ".repeat(hop)}${record.head.session}`,
    what: describeEntry(record),
  }));
  const all = [{ at: "at", took: "took", name: "session", what: "what" }, ...rows];
  const ats = most(all.map(({ at }) => at.length));
  const tooks = most(all.map(({ took }) => took.length));
  const spare = Math.max(LEAST_NAME, width - ats - tooks - 6 - GOOD_WHAT);
  const limit = Number.isFinite(width) ? Math.min(MOST_NAME, spare) : spare;
  const names = Math.min(limit, Math.max(LEAST_NAME, most(nodes.map(nameWidth))));
  const before = ats + tooks + names + 6;
  const room = Math.max(LEAST_WHAT, width - before);
  return all.flatMap(({ at, took, name, what }) => {
    const start = `${at.padStart(ats)}  ${took.padStart(tooks)}  ${column(name, names)}  `;
    const [first = "", ...more] = wrapped(what, room, INDENT);
    return [`${start}${first}`, ...more.map((line) => " ".repeat(before) + line)].map((line) =>
      fit(line, width),
    );
  });
}

/** A step cannot be over before its cause: where clocks say so, all that is known is that it was soon. */
function tookText(took: number): string {
  return took < 0 ? `~${span(0)}` : `+${span(took)}`;
}

/** The largest of them, at least 0; a story may have more entries than a call takes arguments. */
function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

function nameWidth({ session, hop }: StoryNode): number {
  return extentOf(visibleText(session)) + 2 * hop;
}

function footOf({ entries, nodes, missing }: Story): readonly string[] {
  const clocks = nodes.flatMap(({ session, skewMs, withinMs }) => {
    if (skewMs === null || withinMs === null || Math.abs(skewMs) <= withinMs) return [];
    const way = skewMs > 0 ? "ahead of" : "behind";
    const off = `${span(Math.abs(skewMs))}, give or take ${span(withinMs)}`;
    return [`the clock of ${session} is ${way} the asking session's by ${off}`];
  });
  const back = most(entries.map(({ took }) => -took));
  const backwards =
    back === 0
      ? []
      : [
          `~${span(0)}: by the clocks it was before the step that caused it, by at most ${span(back)}; clocks differ by that, or one was set back`,
        ];
  const gap =
    missing === 0 ? [] : [`${String(missing)} records between these are missing in this store`];
  const lines = [...clocks, ...backwards, ...gap];
  return lines.length === 0 ? [] : ["", ...lines];
}
