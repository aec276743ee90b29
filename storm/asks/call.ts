import type { Line } from "../../test/support/askfabric.ts";
import type { End, Kind } from "./kinds.ts";

/** One call of the storm, from its start to its end. */
export interface Call {
  readonly id: string;
  readonly kind: Kind;
  readonly command: string;
  /** The session that asks. */
  readonly child: string;
  /** Number of the process that was given it, and whether that was killed before an outcome was out. */
  readonly process: string;
  orphaned: boolean;
  /** Every line that named it, in order, with the process that printed it. */
  readonly lines: { readonly process: string; readonly line: Line }[];
  /** How often its tool ran. */
  runs: number;
}

/** How an outcome line says a call ended; null for a line that says nothing of the kind. */
export function endOfLine(line: Line): End | null {
  const { outcome, lost } = line;
  if (outcome === "allowed" || outcome === "denied") return outcome;
  return outcome === "lost" ? `lost ${String(lost)}` : null;
}

/** Says whether a call still waits for its end, so far as its session's lines tell. */
export function isOpen(call: Call): boolean {
  return !call.orphaned && call.lines.length === 0;
}
