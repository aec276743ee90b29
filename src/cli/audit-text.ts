import { extentOf } from "../render/columns.ts";
import { visibleText } from "../render/visible-text.ts";

/** A line that a screen shows as it is, at most `width` columns wide. */
export function fit(text: string, width: number): string {
  const safe = visibleText(text);
  if (extentOf(safe) <= width) return safe.trimEnd();
  let kept = "";
  for (const character of safe) {
    if (extentOf(`${kept}${character}…`) > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A text that a screen shows as it is, over as many lines as it takes; those behind the first are indented. */
export function wrapped(text: string, width: number, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of visibleText(text).split(" ")) {
    const room = width - (lines.length === 0 ? 0 : indent);
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && extentOf(longer) > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].map((one, place) =>
    fit(place === 0 ? one : " ".repeat(indent) + one, width),
  );
}

/** Fills a text up to so many columns; a longer one is cut. */
export function column(text: string, width: number): string {
  const cut = fit(text, width);
  return cut + " ".repeat(Math.max(0, width - extentOf(cut)));
}

/** A span as a person reads it: `0 ms`, `340 ms`, `14.4 s`, `3 min 05 s`. */
export function span(ms: number): string {
  const size = Math.abs(ms);
  const sign = ms < 0 ? "-" : "";
  if (size < 1_000) return `${sign}${String(Math.round(size))} ms`;
  if (size < 60_000) return `${sign}${(size / 1_000).toFixed(1)} s`;
  const seconds = Math.round(size / 1_000);
  return `${sign}${String(Math.floor(seconds / 60))} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** A time on a session's clock, in UTC. */
export function stamp(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? `time ${String(time)}` : date.toISOString();
}
