import { expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { commandsOf, outputOf, readPage, retold } from "../support/explained-page.ts";

const page = readPage();

/** Each command of the page starts the whole program, in milliseconds. */
const PATIENCE_MS = 60_000;

it(
  "the page about verdicts shows ten calls as the program explains them; `npm run explained` writes it",
  async () => {
    expect(commandsOf(page).length).toBeGreaterThanOrEqual(10);
    expect(await retold(page)).toBe(page);
  },
  PATIENCE_MS,
);

it(
  "explain prints JSON lines of its two schemas, the conclusion last",
  async () => {
    for (const command of commandsOf(page)) {
      const lines = (await outputOf(command, "--json")).trimEnd().split("\n");
      const parsed = lines.map((line): unknown => JSON.parse(line));
      LINE_SCHEMAS.conclusion.parse(parsed.pop());
      expect(parsed.length).toBeGreaterThan(0);
      for (const line of parsed) LINE_SCHEMAS.explained.parse(line);
    }
  },
  PATIENCE_MS,
);
