import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SCHEMA_FILES, SCHEMA_FOLDER } from "./json-schemas.ts";

rmSync(SCHEMA_FOLDER, { recursive: true, force: true });
for (const [path, text] of SCHEMA_FILES) {
  const file = join(SCHEMA_FOLDER, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
