import type { Row } from "../frame/row.ts";
import { POLICY_ASKS } from "./policy-ask.ts";

/** Every row of the table, in its order. */
export const ROWS: readonly Row[] = [...POLICY_ASKS];
