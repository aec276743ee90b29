import { extentOf, frontOf, wrapLine } from "../render/columns.ts";
import { visibleText } from "../render/visible-text.ts";

/** A line that a screen shows as it is, at most `width` columns wide. */
export function fit(text: string, width: number): string {
  const safe = visibleText(text);
  if (extentOf(safe) <= width) return safe.trimEnd();
  return `${frontOf(safe, width - 1)}…`;
}

/**
 * A text that a screen shows as it is, whole, over as many lines as it takes; those behind the first are indented.
 * A width of `Infinity` leaves it one line.
 */
export function wrapped(text: string, width: number, indent: number): readonly string[] {
  const [first = "", ...more] = wrapLine(visibleText(text), width);
  // What stands behind the first line has less room, which moves the breaks.
  const rest = more.length === 0 ? [] : wrapLine(more.join("").trimStart(), width - indent);
  return [first, ...rest.map((line) => " ".repeat(indent) + line)].map((line) => line.trimEnd());
}

/** The lines of {@link wrapped}, each ended. */
export function wholeLine(text: string, width: number, indent = 4): string {
  return wrapped(text, width, indent)
    .map((line) => `${line}\n`)
    .join("");
}

/** Fills a text up to so many columns; a longer one is cut. */
export function column(text: string, width: number): string {
  return filled(fit(text, width), width);
}

/** Fills a text up to so many columns; a longer one stays whole. */
export function filled(text: string, width: number): string {
  const safe = visibleText(text);
  return safe + " ".repeat(Math.max(0, width - extentOf(safe)));
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
