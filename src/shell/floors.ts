/** The command inside is text for another shell or interpreter. */
export const OPAQUE_WRAPPER = "<opaque-bash-wrapper>";

/** The command starts another command. */
export const INDIRECTION_WRAPPER = "<indirection-bash-wrapper>";

/** The command holds no unit, or more than the parse budget. */
export const UNPARSEABLE_COMMAND = "<unparseable-bash-command>";

/** A part of the command was not understood. */
export const UNPARSED_SUBTREE = "<unparsed-bash-subtree>";

/** Longest command that is taken apart, in UTF-8 bytes. */
export const PARSE_BUDGET_BYTES = 64 * 1024;

/** Says whether a text is longer than what is taken apart. */
export function isOverBudget(text: string): boolean {
  return Buffer.byteLength(text, "utf8") > PARSE_BUDGET_BYTES;
}
