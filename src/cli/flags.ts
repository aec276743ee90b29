import { type Command, InvalidArgumentError, Option } from "commander";
import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import type { ConnectionFlags } from "./connection.ts";
import { LOG_LEVELS } from "./log.ts";

/** Flags that every command takes that meets a configuration. */
export interface CommonFlags extends ConnectionFlags {
  readonly config?: string;
  readonly data?: string;
  readonly logLevel?: string;
}

/** Adds the flags that say where the server, the data and the configuration are. */
export function withConnection(command: Command): Command {
  return withCommon(
    command
      .option("--url <url>", "NATS server, nats://host:port [ASKFABRIC_URL, NATS_URL]")
      .option(
        "--token-file <path>",
        "file with the server's token, mode 600 [ASKFABRIC_TOKEN_FILE]",
      )
      .option("--creds <path>", "NATS credentials file, mode 600 [ASKFABRIC_CREDS, NATS_CREDS]")
      .option("--join <path>", 'file that "askfabric up" wrote [ASKFABRIC_JOIN]')
      .option("--tls-ca <file>", "authority of the server's certificate [ASKFABRIC_TLS_CA]")
      .option("--tls-cert <file>", "own certificate for the server [ASKFABRIC_TLS_CERT]")
      .option("--tls-key <file>", "key of that certificate, mode 600 [ASKFABRIC_TLS_KEY]")
      .option("--fleet <name>", "fleet to speak in [ASKFABRIC_FLEET]"),
  );
}

/** Adds the flags that say where the data and the configuration are. */
export function withCommon(command: Command): Command {
  return command
    .option("--config <path>", "configuration file of this user [ASKFABRIC_CONFIG]")
    .option("--data <dir>", "data folder [ASKFABRIC_DATA]")
    .option("--log-level <level>", `${LOG_LEVELS.join(", ")} [ASKFABRIC_LOG_LEVEL]`);
}

/** Reads a whole number of a flag between two bounds. */
export function wholeNumber(least: number, most: number): (given: string) => number {
  return (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** `--width`, which follows the terminal; where standard output is none, lines are as long as what they say. */
export function widthOption(): Option {
  return new Option("--width <columns>", "columns of a line for a person")
    .argParser(wholeNumber(40, 1_000))
    .default(process.stdout.columns || Infinity, "those of the terminal; without one, no limit");
}

/** Reads the life of an ask in milliseconds. */
export const askLife = wholeNumber(1_000, MAX_ASK_LIFE_MS);
