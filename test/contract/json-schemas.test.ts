import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SCHEMA_FILES, SCHEMA_FOLDER } from "../support/json-schemas.ts";

const onDisk = readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replaceAll("\\", "/"));

it("the folder holds a file for every schema and no other", () => {
  expect(onDisk.sort()).toEqual([...SCHEMA_FILES.keys()].sort());
});

it.each([...SCHEMA_FILES])("%s is what `npm run schemas` writes", (path, text) => {
  expect(readFileSync(join(SCHEMA_FOLDER, path), "utf8")).toBe(text);
});
