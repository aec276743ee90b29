import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { connect, openChild } from "askfabric";

const session = "worker";
const [data = `${homedir()}/.local/state/askfabric`, command = "git status"] =
  process.argv.slice(2);
// "askfabric up" writes where its server is, and what to show it, into its data folder.
const join = readFileSync(`${data}/join.json`, "utf8");
const { url, token, fleet } = JSON.parse(join) as { url: string; token: string; fleet: string };

await using bus = await connect({ servers: url, token, fleet, session });
await using child = await openChild({
  bus,
  session,
  parent: "lead",
  data,
  home: homedir(),
  rules: {},
});
const call = { toolName: "bash", input: { command }, cwd: process.cwd() };
const outcome = await child.decide(call, { signal: AbortSignal.timeout(60_000) });
// Only "allowed" lets the call run; a denial and a loss are values, never thrown.
console.log(outcome.outcome === "lost" ? `lost: ${outcome.lost}` : outcome.outcome, outcome.text);
process.exitCode = outcome.outcome === "allowed" ? 0 : 1;
