import { expect, it } from "vitest";
import { remembered } from "../../../src/shell/remembered.ts";

/** A function of texts that tells how often it was asked. */
function counting(isLasting?: (given: string) => boolean) {
  let asked = 0;
  const ask = remembered((text) => `${text} ${(asked += 1)}`, isLasting);
  return { ask, asked: () => asked };
}

it("a remembered function answers the same text once", () => {
  const { ask, asked } = counting();
  expect([ask("a"), ask("b"), ask("a")]).toEqual(["a 1", "b 2", "a 1"]);
  expect(asked()).toBe(2);
});

it("a remembered function is asked anew for what does not last, and for long texts", () => {
  const { ask } = counting((given) => !given.startsWith("late"));
  expect([ask("late"), ask("late")]).toEqual(["late 1", "late 2"]);
  const long = "x".repeat(5000);
  expect(ask(long)).not.toBe(ask(long));
});

it("a remembered function forgets the oldest of many texts", () => {
  const { ask, asked } = counting();
  for (let i = 0; i < 1000; i += 1) ask(`text ${i}`);
  ask("text 999");
  expect(asked()).toBe(1000);
  ask("text 0");
  expect(asked()).toBe(1001);
});
