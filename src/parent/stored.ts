import type { Ask } from "../ask/ask.ts";
import { openStoredAsk } from "../bus/stored-ask.ts";
import type { ServedAskRow } from "../journal/journal.ts";
import { buildDetails } from "../render/details.ts";
import type { EndingOf } from "./ending.ts";
import { askByIdAlone } from "./kept-ask.ts";

/** Reads the ask of a dormant row for its end: what an earlier process showed gets its decision all the same. */
export function ofRow(session: string, row: ServedAskRow): EndingOf {
  const ask = storedAsk(session, row);
  return { ask, askDigest: row.askDigest, details: buildDetails({ ...ask, nonce: "" }) };
}

/** The ask a row keeps; one that cannot be read any more is told of by its id alone. */
export function storedAsk(session: string, row: ServedAskRow): Omit<Ask, "nonce"> {
  return openStoredAsk({ ...row, parent: session }) ?? askByIdAlone(session, row);
}
