import { testServer } from "../test/support/nats-servers.ts";
import { type Flags, readFlags } from "./frame/flags.ts";
import { readMachine } from "./frame/machine.ts";
import { jsonReport, tableReport } from "./frame/report.ts";
import { type Result, runRow } from "./frame/run-row.ts";
import { ROWS } from "./rows/rows.ts";

/**
 * Measures what the product promises of its speed, one row after the other. Usage: `npm run -s bench --` and
 * `--json`, `--only NAME` (may be repeated), `--quick` (one small round: shows that it runs, not how fast) and
 * `--folder PATH` (the disk for journals).
 */
async function main({ json, quick, folder, rows }: Flags): Promise<void> {
  const machine = readMachine(folder, (await testServer()).version.text);
  const results: Result[] = [];
  for (const row of rows) {
    process.stderr.write(`${row.name} …\n`);
    results.push(await runRow(row, { folder, quick }));
  }
  if (quick && !json) process.stderr.write(`\n${QUICK}\n\n`);
  const report = json ? JSON.stringify(jsonReport(results)) : tableReport(machine, results);
  process.stdout.write(`${report}\n`);
}

const QUICK =
  "One small round of each, of whatever else this machine does: shows that it runs, not how fast it is.";
const USAGE = "npm run -s bench -- [--json] [--quick] [--only ROW]… [--folder PATH]";

try {
  await main(readFlags(process.argv.slice(2), ROWS));
} catch (error) {
  const said = error instanceof Error ? error.message : String(error);
  process.stderr.write(`bench: ${said}\n${USAGE}\n`);
  process.exitCode = 1;
}
