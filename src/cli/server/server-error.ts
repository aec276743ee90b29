/** Codes of {@link ServerError}. */
export type ServerErrorCode =
  /** No nats-server was found and none could be fetched. */
  | "server_not_found"
  /** The program named is no nats-server, or too old. */
  | "server_unusable"
  /** Something else listens on the port. */
  | "server_port_taken"
  /** Another process runs a server on the same data folder. */
  | "server_data_in_use"
  /** The data folder cannot be used. */
  | "server_data_unusable"
  /** The server ended or did not answer while it started. */
  | "server_start_failed";

/** Thrown when a managed server cannot run. The message is one sentence with the place and the way out. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
