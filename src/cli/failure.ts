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

  constructor(message: string, options?: ErrorOptions & { readonly exitCode?: number }) {
    super(message, options);
    this.exitCode = options?.exitCode ?? EXIT.usage;
  }
}

/** The message of anything that was thrown, on one line. What it quotes cannot act on a screen. */
export function sentenceOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const line = text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim();
  return visibleText(line) || "something failed without saying what";
}
