import { SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import { runUp } from "../../src/cli/up.ts";

/** Runs `up` as a process of its own: data folder, binary and, optionally, port from the command line. */
const [data = "", binary = "", port] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    stop.abort();
  });
}
const say =
  (level: string) =>
  (fields: object, text: string): void => {
    process.stderr.write(`${JSON.stringify({ level, text, ...fields })}\n`);
  };
const log = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
try {
  process.exitCode = await runUp(
    { data, ...(port !== undefined && { port: Number(port) }) },
    {
      env: { ASKFABRIC_NATS_SERVER: binary },
      cwd: process.cwd(),
      home: "/nowhere",
      write: (text) => process.stdout.write(text),
      stop: stop.signal,
      log,
      clock: SYSTEM_CLOCK,
    },
  );
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
