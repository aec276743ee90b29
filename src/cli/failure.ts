import { visibleText } from "../render/visible-text.ts";

/** Exit codes of every command. */
export const EXIT = { ok: 0, usage: 1, denied: 2, lost: 3 } as const;

/**
 * Ends a command. The message is one sentence for a person: place, value, way out.
 * Printed without a stack; `exitCode` is 1 unless said otherwise.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;
  /** What the message sums up, one line each; empty where it says all. */
  readonly points: readonly string[];

  constructor(message: string, options: ErrorOptions & CommandErrorOptions = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? EXIT.usage;
    this.points = options.points ?? [];
  }
}

/** What a {@link CommandError} may hold beside its message. */
export interface CommandErrorOptions {
  readonly exitCode?: number;
  readonly points?: readonly string[];
}

/** What a person reads of anything that was thrown: one line, and one for each point of it. */
export function complaintOf(thrown: unknown): string {
  const points = thrown instanceof CommandError ? thrown.points : [];
  const lines = [`askfabric: ${sentenceOf(thrown)}`, ...points.map((one) => `  ${oneLine(one)}`)];
  return lines.map((line) => `${line}\n`).join("");
}

/** The message of anything that was thrown, on one line. What it quotes cannot act on a screen. */
export function sentenceOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return oneLine(text) || "something failed without saying what";
}

function oneLine(text: string): string {
  return visibleText(text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim());
}
