import { expect, it } from "vitest";
import { homeFolder } from "../../../src/cli/home-folder.ts";

const unknown = (): never => {
  throw new Error("no such user");
};

it("the home folder is what the environment names", () => {
  expect(homeFolder(() => "/home/ann", unknown)).toBe("/home/ann");
});

it.each(["", ".", "ann", "~"])(
  "HOME=%j makes no folder of the working directory a home",
  (named) => {
    expect(
      homeFolder(
        () => named,
        () => "/home/ann",
      ),
    ).toBe("/home/ann");
  },
);

it("a user that the system does not know has the root folder, and the program does not fail", () => {
  expect(homeFolder(unknown, unknown)).toBe("/");
  expect(homeFolder(() => "", unknown)).toBe("/");
});
