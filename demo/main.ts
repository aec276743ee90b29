import { styleText } from "node:util";
import { readOptions } from "./options.ts";
import { runDemo } from "./run-demo.ts";

const { scripted, relay } = readOptions(process.argv.slice(2));

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stop.abort(signal));
}
// Ended like any other failure: the programs must not outlive the demo.
process.on("uncaughtException", (error) => stop.abort(error));
// Whoever stops reading has seen enough.
process.stdout.on("error", () => stop.abort("the end of whoever read its output"));

const colour = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";

process.exitCode = await runDemo({
  env: process.env,
  person: process.stdin.isTTY && process.stdout.isTTY && !scripted,
  relay,
  signal: stop.signal,
  write: (text) => process.stdout.write(text),
  paint: (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text),
});
