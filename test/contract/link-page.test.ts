import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compileConfig } from "../../src/config/compile-config.ts";

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${path}`, import.meta.url)), "utf8");

const PAGE = textOf("how-to/add-a-link.md");
const FIRST_JSON = /```json\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "";

it.each(["link.ts", "link-command.js"])("the page on links shows %s as it runs", (name) => {
  expect(PAGE).toContain(`\n${textOf(`examples/${name}`)}\`\`\``);
});

it("the page on links shows a configuration that is taken as it is", () => {
  const { issues, options } = compileConfig({ user: { text: FIRST_JSON } });
  expect(issues).toEqual([]);
  expect([...options.links.keys()]).toEqual(options.authorizerChain);
});
