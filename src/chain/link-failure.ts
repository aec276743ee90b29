/** Thrown by a link that is configured but cannot be asked: nothing is behind its name. */
export class LinkVacantError extends Error {
  override readonly name = "LinkVacantError";
}

/** The words of anything that was thrown, on one line and at most 300 UTF-16 units long. */
export function wordsOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : "";
  const line = text.replaceAll(/\s+/g, " ").trim().toWellFormed();
  return line === "" ? "it failed without saying why" : line.slice(0, 300).toWellFormed();
}
