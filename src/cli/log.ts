import type { Log } from "../ask/ports.ts";
import { visibleJson } from "../render/visible-text.ts";
import { CommandError } from "./failure.ts";

/** Levels a log can be told to keep to, most talkative first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log that ends with its program. */
export interface ProgramLog extends Log {
  /** Resolves when everything said so far is written. */
  flush(): Promise<void>;
}

/** Reads a level from a flag or the environment. @throws {@link CommandError} naming the value. */
export function readLogLevel(given: string | undefined, usual: LogLevel): LogLevel {
  if (given === undefined || given === "") return usual;
  const known = LOG_LEVELS.find((level) => level === given);
  if (known !== undefined) return known;
  throw new CommandError(
    `log level ${JSON.stringify(given)} is not known; use one of ${LOG_LEVELS.join(", ")}`,
  );
}

/** Fields that never reach a log, whatever they hold. */
const SECRETS = ["nonce", "token", "proof", "creds", "*.nonce", "*.token", "*.proof", "*.creds"];

/**
 * A log on standard error: JSON lines, or one readable line each on a terminal. The writer is loaded with
 * the first entry that is kept, so that a program that says nothing does not pay for it.
 */
export function openLog(options: {
  readonly level: LogLevel;
  readonly write: (text: string) => void;
  /** How an entry is written on a terminal; absent: as JSON. */
  readonly pretty?: (entry: Readonly<Record<string, unknown>>) => string;
}): ProgramLog {
  const kept = LOG_LEVELS.indexOf(options.level);
  let writer: Promise<Log> | null = null;
  const say =
    (level: keyof Log) =>
    (fields: object, text: string): void => {
      if (LOG_LEVELS.indexOf(level) < kept) return;
      writer ??= loadPino(options);
      writer = writer.then((log) => {
        log[level](fields, text);
        return log;
      });
    };
  return {
    debug: say("debug"),
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
    flush: async () => {
      await writer;
    },
  };
}

async function loadPino({ level, write, pretty }: Parameters<typeof openLog>[0]): Promise<Log> {
  const { pino } = await import("pino");
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS, censor: "[redacted]" },
    serializers: { error: sentenceOnly, err: sentenceOnly },
  };
  const logger = pino(settings, {
    write: (line: string) =>
      write(pretty ? pretty(JSON.parse(line) as Record<string, unknown>) : visibleJson(line)),
  });
  return {
    debug: (fields, text) => logger.debug(fields, text),
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    error: (fields, text) => logger.error(fields, text),
  };
}

/** An error in a log is its message: stacks are for whoever has the source. */
function sentenceOnly(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}
