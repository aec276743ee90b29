import type { Ask } from "../ask/ask.ts";
import { shedEvidence } from "../ask/carried.ts";
import type { ChildLine, SealedAsk } from "../bus/lines.ts";

/** Fixes the bytes of an ask, with as much of its evidence as a message takes; null when its core is too large. */
export function sealFitting(line: Pick<ChildLine, "seal">, whole: Ask): SealedAsk | null {
  let ask = whole;
  for (;;) {
    const sealed = line.seal(ask);
    if (sealed !== null) return sealed;
    const payload = ask.payload === undefined ? null : shedEvidence(ask.payload);
    if (payload === null) return null;
    ask = Object.freeze({ ...ask, payload });
  }
}
