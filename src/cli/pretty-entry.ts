import { visibleText } from "../render/visible-text.ts";

const OWN = ["level", "time", "msg"];

/** A log entry as one line for a person: time, level, text, then the rest. Nothing in it is obeyed by a screen. */
export function prettyEntry(entry: Readonly<Record<string, unknown>>): string {
  const { level, time, msg } = entry;
  const clock = typeof time === "string" ? time.slice(11, 19) : "";
  const rest = Object.entries(entry)
    .filter(([key]) => !OWN.includes(key))
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return `${visibleText([clock, String(level).padEnd(5), String(msg), ...rest].join(" "))}\n`;
}
