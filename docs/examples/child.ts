import { homedir } from "node:os";
import { connect, openChild } from "askfabric";

const session = "worker";
const [servers = "nats://127.0.0.1:4222", data = "./askfabric-data", command = "git status"] =
  process.argv.slice(2);

await using bus = await connect({ servers, session });
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
