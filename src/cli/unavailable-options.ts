import type { Options } from "../config/options.ts";
import { CommandError } from "./failure.ts";

/**
 * Refuses options that promise more than this version keeps: a program that went on as if they were not set would
 * be less strict than its user believes.
 *
 * @throws {@link CommandError} naming each.
 */
export function refuseUnavailable(options: Options): void {
  const { auditMode, signDecisions, requireSigners } = options;
  const named = [
    ...(auditMode === "strict" ? ['auditMode is "strict"'] : []),
    ...(signDecisions ? ["signDecisions is true"] : []),
    ...(requireSigners.length > 0 ? ["requireSigners names keys"] : []),
  ];
  if (named.length === 0) return;
  throw new CommandError(
    `${named.join(" and ")}, and this version cannot keep that promise; remove it, and read in docs/explanation/delivery-guarantees.md what is kept without it`,
  );
}
