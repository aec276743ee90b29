import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const REPORT = join(ROOT, "docs", "reference", "api.md");
const TEMP = join(ROOT, "temp", "api");

// Writes the report of the public surface with `--write`, else compares it with the one that is kept.
mkdirSync(TEMP, { recursive: true });
const faults: string[] = [];
Extractor.invoke(ExtractorConfig.loadFileAndPrepare(join(ROOT, "test/config/api-extractor.json")), {
  localBuild: true,
  messageCallback: (message) => {
    message.handled = true;
    if (message.logLevel !== ExtractorLogLevel.Error) return;
    faults.push(message.formatMessageWithLocation(ROOT));
  },
});

const report = readFileSync(join(TEMP, "askfabric.api.md"), "utf8");
if (process.argv.includes("--write")) writeFileSync(REPORT, report);
else if (kept() !== report) {
  faults.push(
    "docs/reference/api.md is not the public surface: run `npm run api`, read the difference",
  );
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function kept(): string | null {
  try {
    return readFileSync(REPORT, "utf8");
  } catch {
    return null;
  }
}
