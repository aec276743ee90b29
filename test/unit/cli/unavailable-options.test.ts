import { expect, it } from "vitest";
import { refuseUnavailable } from "../../../src/cli/unavailable-options.ts";
import { DEFAULT_OPTIONS } from "../../../src/config/options.ts";

it("a program goes on with the defaults and with best effort", () => {
  expect(() => refuseUnavailable(DEFAULT_OPTIONS)).not.toThrow();
  expect(() => refuseUnavailable({ ...DEFAULT_OPTIONS, auditMode: "best-effort" })).not.toThrow();
});

it("a program refuses the promise that it cannot keep", () => {
  expect(() => refuseUnavailable({ ...DEFAULT_OPTIONS, auditMode: "strict" })).toThrow(
    'auditMode is "strict", and this version cannot keep that promise; remove it',
  );
});
