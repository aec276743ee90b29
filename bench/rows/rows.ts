import type { Row } from "../frame/row.ts";
import { ASK_START } from "./ask-start.ts";
import { PENDING } from "./pending.ts";
import { POLICY_ASKS } from "./policy-ask.ts";
import { PUBLISHER } from "./publisher.ts";
import { RELAYED } from "./relay.ts";
import { SIGNED } from "./signed.ts";
import { SINK } from "./sink.ts";
import { TOLD } from "./told.ts";
import { VERDICTS } from "./verdict.ts";

/** Every row of the table, in its order. */
export const ROWS: readonly Row[] = [
  ...POLICY_ASKS,
  RELAYED,
  SIGNED,
  ASK_START,
  ...VERDICTS,
  ...PUBLISHER,
  ...SINK,
  ...PENDING,
  ...TOLD,
];
