import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/how-to/answer-at-a-terminal.md");

it("the page about the terminal shows screens as a test saw them", () => {
  expect(page).toContain(read("test/data/screens/resized-100x20.txt"));
  for (const name of ["grant", "width"]) {
    const [, ...dialog] = read(`test/data/screens/${name}-80.txt`).split("\n");
    expect(page).toContain(dialog.join("\n"));
  }
});

it.each(["y", "c", "s", "n", "r", "v", "w"])(
  "the page about the terminal explains the key %s",
  (key) => {
    expect(page).toContain(`| \`${key}\``);
  },
);
