import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allBlocks } from "./pages/all-blocks.ts";
import { withBlock } from "./pages/block.ts";

const ROOT = new URL("../../", import.meta.url);

for (const block of allBlocks()) {
  const file = fileURLToPath(new URL(block.page, ROOT));
  writeFileSync(file, withBlock(readFileSync(file, "utf8"), block));
}
