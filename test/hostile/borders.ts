import { ASK_BORDERS } from "./ask-borders.ts";
import type { Border } from "./border.ts";
import { CONTROL_BORDERS } from "./control-borders.ts";
import { PROGRAM_BORDERS } from "./program-borders.ts";
import { RECORD_BORDERS } from "./record-borders.ts";

/** Every place where bytes of somebody else are read. */
export const BORDERS: readonly Border[] = [
  ...ASK_BORDERS,
  ...CONTROL_BORDERS,
  ...RECORD_BORDERS,
  ...PROGRAM_BORDERS,
];
