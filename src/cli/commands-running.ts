import type { Log } from "../ask/ports.ts";
import type { CommandContext } from "./commands-asking.ts";
import { wholeNumber } from "./flags.ts";
import type { Io } from "./io.ts";
import { LOG_LEVELS } from "./log.ts";
import type { UpFlags, UpIo } from "./up.ts";

/** Adds `up`. */
export function addUp({ program, io, setCode }: CommandContext): void {
  program
    .command("up")
    .description(
      "Runs a NATS server of this machine's own and keeps its records until it is stopped.",
    )
    .option("--data <dir>", "data folder [ASKFABRIC_DATA]")
    .option(
      "--port <n>",
      "port on the loopback; that of last time, else a free one",
      wholeNumber(1, 65_535),
    )
    .option("--fleet <name>", "fleet that the join file names [ASKFABRIC_FLEET]")
    .option(
      "--stream-bytes <n>",
      "most bytes the audit stream holds; that of the one that is there, else 4 GiB",
      wholeNumber(1024 * 1024, Number.MAX_SAFE_INTEGER),
    )
    .option("--log-level <level>", `${LOG_LEVELS.join(", ")} [ASKFABRIC_LOG_LEVEL]`)
    .addHelpText("after", UP_HELP)
    .action(async (flags: UpFlags & { readonly logLevel?: string }) => {
      const [{ runUp }, { openProgramLog }] = await Promise.all([
        import("./up.ts"),
        import("./prepare.ts"),
      ]);
      const log = openProgramLog(flags, io, "info");
      try {
        setCode(await runUp(flags, upIo(io, log)));
      } finally {
        await log.flush();
      }
    });
}

function upIo({ env, cwd, home, write, stop, clock }: Io, log: Log): UpIo {
  return { env, cwd, home, write, stop, log, clock };
}

const UP_HELP = `
Prints {"ready":true,"url",…} once the server takes connections and records are kept, and writes the join file
that every other command finds in the data folder, by --join or by ASKFABRIC_JOIN. Records come through a stream
in an account of their own into audit/records.sqlite; "askfabric audit --help" says how to look at them. nats-server is looked for on the PATH, in
/usr/sbin and in the cache, else fetched without touching the system; ASKFABRIC_NATS_SERVER names one.
The token stands in files of mode 600: whoever can read one can read every ask and forge any decision.
SIGINT and SIGTERM leave nothing running; the next "up" on the same folder goes on with its data.

Examples:
  askfabric up
  askfabric up --data /srv/askfabric --port 4222`;
