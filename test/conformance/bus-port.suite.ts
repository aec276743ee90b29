import { afterAll, beforeAll, describe } from "vitest";
import type { PortHarness } from "../support/port-harness.ts";
import { describeLink } from "./bus-port-link.ts";
import { describeMessages } from "./bus-port-messages.ts";

/** Holds an implementation to every promise of the port. */
export function describeBusPort(name: string, make: () => Promise<PortHarness>): void {
  describe(`the bus port of ${name}`, () => {
    let harness: PortHarness;
    beforeAll(async () => {
      harness = await make();
    });
    afterAll(async () => {
      await harness[Symbol.asyncDispose]();
    });
    describeMessages(() => harness);
    describeLink(() => harness);
  });
}
