import { JetStreamApiError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { RECORD_STREAM } from "./stream-settings.ts";

/** Codes of {@link StreamError}. */
export type StreamErrorCode =
  /** The audit stream is not there. */
  | "stream_missing"
  /** It is there and not as records need it; nothing was changed. */
  | "stream_differs"
  /** The server has no room for a stream of this size. */
  | "stream_no_room"
  /** It holds more than the limit it was to get; nothing was changed. */
  | "stream_holds_more"
  /** The credentials do not allow it. */
  | "stream_denied"
  /** The server keeps no streams in this account, or did not answer. */
  | "stream_unavailable"
  /** The place of the reader in the stream is there under other rules. */
  | "consumer_differs";

/** Thrown when the audit stream cannot be used. The message names the stream, what is wrong and the way out. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly code: StreamErrorCode;

  constructor(code: StreamErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error that says what a smaller limit would do. */
export function holdsMore(where: string, bytes: number, limit: number): StreamError {
  return new StreamError(
    "stream_holds_more",
    `The audit stream ${RECORD_STREAM} at ${where} holds ${String(bytes)} bytes: with a limit of ${String(limit)} the server would remove its oldest records, kept in a store or not. Nothing was changed; name at least ${String(bytes)}.`,
  );
}

const NO_ROOM = new Set([10_023, 10_028, 10_047]);

/** The error that says the stream is not there. */
export function missing(where: string): StreamError {
  return new StreamError(
    "stream_missing",
    `There is no audit stream ${RECORD_STREAM} at ${where}: run "askfabric audit provision" with the provisioner's credentials, or "askfabric up" on the folder of that server.`,
  );
}

/** What an API call of the stream failed with, by name. */
export function toStreamError(error: unknown, where: string): unknown {
  if (error instanceof StreamError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const of = `the audit stream ${RECORD_STREAM} at ${where}`;
  if (isRefusal(error)) {
    return new StreamError(
      "stream_denied",
      `The server does not let these credentials use ${of} (${said}): use those of the sink to read it and those of the provisioner to make or change it.`,
      { cause: error },
    );
  }
  if (error instanceof JetStreamApiError) {
    const code = NO_ROOM.has(error.code) ? "stream_no_room" : "stream_unavailable";
    const way =
      code === "stream_no_room"
        ? "free disk space there, raise the server's limit, or name a smaller size with --stream-bytes"
        : "see the server's log";
    return new StreamError(code, `The server refused ${of} (${said}): ${way}.`, { cause: error });
  }
  if ((error instanceof Error && error.name === "JetStreamNotEnabled") || isSilence(error)) {
    return new StreamError(
      "stream_unavailable",
      `The server did not answer about ${of} (${said}): check that JetStream is on for the account of these credentials.`,
      { cause: error },
    );
  }
  return error;
}

/** Says whether `error` is the API's answer with this code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

function isRefusal(error: unknown): boolean {
  if (error instanceof errors.PermissionViolationError) return true;
  return error instanceof Error && error.cause instanceof errors.PermissionViolationError;
}

function isSilence(error: unknown): boolean {
  return (
    error instanceof errors.TimeoutError ||
    error instanceof errors.RequestError ||
    error instanceof errors.NoRespondersError
  );
}
