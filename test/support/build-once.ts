import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAIN } from "./askfabric.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the program before tests that run it, unless what stands there is newer than every source file. */
export function setup(): void {
  const source = join(ROOT, "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  const newest = Math.max(...files.map((file) => statSync(join(source, file)).mtimeMs));
  const built = statSync(MAIN, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < newest) execFileSync("npm", ["run", "-s", "build"], { cwd: ROOT, stdio: "inherit" });
}
