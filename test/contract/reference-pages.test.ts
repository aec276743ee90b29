import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { LOST_REASONS } from "../../src/ask/lost.ts";
import { allBlocks } from "../support/pages/all-blocks.ts";
import { shownBlock } from "../support/pages/block.ts";
import { leafCommands } from "../support/pages/cli-blocks.ts";

const pageOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

describe("the pages that are made from the source", () => {
  it.each(allBlocks().map(({ page, name, text }) => [page, name, text]))(
    "%s shows %s as `npm run pages` writes it",
    (page, name, text) => {
      expect(shownBlock(pageOf(page), name)).toBe(text);
    },
  );

  it("the page on refusals explains each reason of the closed list, and no other", () => {
    const headings = pageOf("docs/how-to/read-a-refused-ask.md").matchAll(/^### `(.*)`$/gm);
    expect([...headings].map(([, reason]) => reason)).toEqual([...LOST_REASONS]);
  });

  it("the page on the command line has a part for every command", () => {
    const headings = pageOf("docs/reference/cli.md").matchAll(/^### askfabric (.*)$/gm);
    expect([...headings].map(([, name]) => name)).toEqual([...leafCommands().keys()]);
  });

  it("the page on configuration names every variable that a program reads", () => {
    const page = pageOf("docs/reference/configuration.md");
    const read = ["URL", "TOKEN_FILE", "CREDS", "JOIN", "CONFIG", "DATA", "LOG_LEVEL"];
    const more = ["SESSION", "PARENT", "AGENT", "FLEET", "NATS_SERVER"];
    const missing = [...read, ...more].filter((name) => !page.includes(`\`ASKFABRIC_${name}\``));
    expect(missing).toEqual([]);
  });
});
