import type { ConfigFinding } from "../config/explain-config.ts";
import type { CheckLine } from "./lines.ts";

/** Writes a finding about the configuration as its line. */
export function findingLine({ about, status, text, todo }: ConfigFinding): CheckLine {
  return { check: about, status, text, ...(todo === undefined ? {} : { todo }) };
}
