/** Codes of {@link BusError}. */
export type BusErrorCode =
  /** An option is missing, malformed or contradicts another. */
  | "bus_bad_option"
  /** No server answered within the start limit. */
  | "bus_start_timeout"
  /** The server refused the credentials. */
  | "bus_auth_refused"
  /** A subject or header that cannot stand on the wire; a mistake of the calling code. */
  | "bus_bad_message";

/**
 * Thrown for wrong use and for a start that failed; never for what happens on a connection that stands.
 * The message names the place, the value and the way out, and never holds a secret.
 */
export class BusError extends Error {
  override readonly name = "BusError";
  readonly code: BusErrorCode;

  constructor(code: BusErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
