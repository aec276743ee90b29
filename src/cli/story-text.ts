import { deciderOf, describeEntry } from "../audit/describe-entry.ts";
import type { StoryNode } from "../audit/order-story.ts";
import { textIn, valueIn } from "../audit/read-record.ts";
import type { Story } from "../audit/story.ts";
import { extentOf } from "../render/columns.ts";
import { visibleText } from "../render/visible-text.ts";
import { column, fit, span, stamp } from "./audit-text.ts";

const MOST_NAME = 24;
const AT = 12;
const TOOK = 12;

/**
 * An ask's story for a person: what was asked, how it ended, then one line a record with the time since the
 * story began, the time it took, the session and what happened; at last what is known of the clocks.
 */
export function storyText(story: Story, width: number): string {
  const lines = [...headOf(story), "", ...tableOf(story), ...footOf(story)];
  return lines.map((line) => `${fit(line, width)}\n`).join("");
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
  const how = lost === null ? result : `lost (${lost}), so denied`;
  const by = decider === "" ? "" : ` by ${decider}`;
  return `${how}${by} after ${span(tookMs)}`;
}

function tableOf({ entries, nodes }: Story): readonly string[] {
  const names = Math.min(MOST_NAME, Math.max(7, ...nodes.map(nameWidth)));
  const row = (at: string, took: string, name: string, what: string): string =>
    `${at.padStart(AT)}${took.padStart(TOOK)}  ${column(name, names)}  ${what}`;
  return [
    row("at", "took", "session", "what"),
    ...entries.map(({ at, took, hop, record }, place) =>
      row(
        span(at),
        place === 0 ? "" : `+${span(took)}`.replace("+-", "-"),
        `${"  ".repeat(hop)}${record.head.session}`,
        describeEntry(record),
      ),
    ),
  ];
}

function nameWidth({ session, hop }: StoryNode): number {
  return extentOf(visibleText(session)) + 2 * hop;
}

function footOf({ nodes, missing }: Story): readonly string[] {
  const clocks = nodes.flatMap(({ session, skewMs, withinMs }) => {
    if (skewMs === null || withinMs === null || Math.abs(skewMs) <= withinMs) return [];
    const way = skewMs > 0 ? "ahead of" : "behind";
    const off = `${span(Math.abs(skewMs))}, give or take ${span(withinMs)}`;
    return [`the clock of ${session} is ${way} the asking session's by ${off}`];
  });
  const gap =
    missing === 0 ? [] : [`${String(missing)} records between these are missing in this store`];
  const lines = [...clocks, ...gap];
  return lines.length === 0 ? [] : ["", ...lines];
}
