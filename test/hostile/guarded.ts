import { Script } from "node:vm";
import type { Border, Told } from "./border.ts";

/** Far more than any input takes, in milliseconds: what takes longer would not end for anybody who waits. */
const HANGS_AFTER_MS = 20_000;

const SLOT = "askfabricHostileWork";
const slot = globalThis as { [SLOT]?: () => unknown };

const script = new Script(`globalThis.${SLOT}()`);

/**
 * Has a border take bytes; ends it where it does not end by itself, within a regular expression as well.
 *
 * @throws what the border throws, and with the code `ERR_SCRIPT_EXECUTION_TIMEOUT` where it hangs.
 */
export async function takeGuarded(border: Border, bytes: Uint8Array): Promise<Told> {
  slot[SLOT] = (): unknown => border.take(bytes);
  return (await script.runInThisContext({ timeout: HANGS_AFTER_MS })) as Told;
}

/** Says whether an error is that of a border which had to be ended. */
export function isHang(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** What a screen would swallow or obey. Line feeds end the lines of what is shown. */
const OBEYED = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** What is wrong with what came of an input that should have come to nothing; null when all is well. */
export function wrongWith({ allows, shown }: Told): string | null {
  if (allows) return "an allow came of it";
  return OBEYED.test(shown) ? "a screen would obey what is shown of it" : null;
}
