import type { Row } from "../frame/row.ts";
import { ASK_START } from "./ask-start.ts";
import { POLICY_ASKS } from "./policy-ask.ts";

/** Every row of the table, in its order. */
export const ROWS: readonly Row[] = [...POLICY_ASKS, ASK_START];
