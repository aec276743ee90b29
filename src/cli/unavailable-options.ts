import type { Options } from "../config/options.ts";
import { CommandError } from "./failure.ts";

/**
 * Refuses options that promise more than this version keeps: a program that went on as if they were not set would
 * be less strict than its user believes.
 *
 * @throws {@link CommandError} naming it.
 */
export function refuseUnavailable(options: Options): void {
  if (options.auditMode !== "strict") return;
  throw new CommandError(
    `auditMode is "strict", and this version cannot keep that promise; remove it, and read in docs/explanation/delivery-guarantees.md what is kept without it`,
  );
}
