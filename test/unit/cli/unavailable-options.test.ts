import { expect, it } from "vitest";
import { refuseUnavailable } from "../../../src/cli/unavailable-options.ts";
import { DEFAULT_OPTIONS } from "../../../src/config/options.ts";

it("a program goes on with the defaults and with best effort", () => {
  expect(() => refuseUnavailable(DEFAULT_OPTIONS)).not.toThrow();
  expect(() => refuseUnavailable({ ...DEFAULT_OPTIONS, auditMode: "best-effort" })).not.toThrow();
});

it("a program refuses every promise that it cannot keep, all at once", () => {
  const options = { auditMode: "strict", signDecisions: true, requireSigners: ["k1"] } as const;
  expect(() => refuseUnavailable({ ...DEFAULT_OPTIONS, ...options })).toThrow(
    'auditMode is "strict" and signDecisions is true and requireSigners names keys, and this version cannot keep that promise; remove it',
  );
});
