import { wholeLine } from "./audit-text.ts";
import { type Io, printLine } from "./io.ts";
import type { CheckLine } from "./lines.ts";

/** Flags of a command that tells what it looked at. */
export interface CheckFlags {
  readonly json?: boolean;
  /** Columns of a line for a person. */
  readonly width: number;
}

const WIDEST = Math.max(...["ok", "warn", "FAIL", "skipped"].map((word) => word.length));

/** Says one check: to a person at a terminal in words, else, and with `--json`, as the line of its contract. */
export function showCheck(line: CheckLine, flags: CheckFlags, io: Io): void {
  if (isForPerson(flags, io)) io.write(checkText(line, flags.width));
  else printLine(io, line);
}

/** Whether checks are told in words. */
export function isForPerson({ json }: CheckFlags, { stdoutIsTerminal }: Io): boolean {
  return stdoutIsTerminal && json !== true;
}

/** A check for a person: how it stands, what was found, and below it what to do. */
export function checkText({ status, text, todo }: CheckLine, width: number): string {
  const indent = WIDEST + 2;
  const mark = (status === "fail" ? "FAIL" : status).padEnd(indent);
  const found = wholeLine(`${mark}${text}`, width, indent);
  return todo === undefined
    ? found
    : found + wholeLine(`${" ".repeat(indent)}→ ${todo}`, width, indent + 2);
}
