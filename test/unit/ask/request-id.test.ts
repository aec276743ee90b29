import { expect, it } from "vitest";
import { mintRequestId } from "../../../src/ask/request-id.ts";

it("each of ten thousand request ids is another one, and is a random UUID behind its prefix", () => {
  const minted = Array.from({ length: 10_000 }, () => mintRequestId());
  expect(new Set(minted).size).toBe(10_000);
  const uuid = /^perm-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(minted.filter((id) => !uuid.test(id))).toEqual([]);
});
