/**
 * What became of a publish. `sent`: handed to a connection that stood; delivery is never promised, since a
 * link can be dead before anybody notices. Every other value: the message went nowhere and never will.
 */
export type PublishOutcome = "sent" | "disconnected" | "too_large" | "closed";

/** One message as it came in. */
export interface BusDelivery {
  readonly subject: string;
  readonly data: Uint8Array;
  /** The first value of a header by its exact name, or undefined. */
  header(name: string): string | undefined;
  /** True for the server's empty 503: nobody is subscribed to what was published with this reply subject. */
  readonly noResponders: boolean;
}

/**
 * What a connection tells of itself. `server` is `host:port`. `connected` comes once, after the one who
 * opened the connection had the chance to listen; `disconnected` and `reconnected` take turns after it.
 */
export type BusEvent =
  | { readonly kind: "connected"; readonly server: string }
  | { readonly kind: "disconnected"; readonly server: string }
  | { readonly kind: "reconnected"; readonly server: string }
  | { readonly kind: "lame_duck"; readonly server: string }
  | { readonly kind: "publish_refused"; readonly subject: string }
  | { readonly kind: "subscription_refused"; readonly subject: string }
  | { readonly kind: "auth_refused"; readonly text: string }
  /** The server or the client fell behind; `subject` is empty when the server did not name one. */
  | { readonly kind: "slow_consumer"; readonly subject: string }
  /** Anything else the server complained of, such as too many connections; a disconnect may follow. */
  | { readonly kind: "server_error"; readonly text: string }
  /** A delivery handler threw, or an event listener (`subject` empty then); it goes on being called. */
  | { readonly kind: "handler_failed"; readonly subject: string; readonly error: unknown }
  | { readonly kind: "closed"; readonly error: Error | null };

/** Options of one publish. */
export interface PublishOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply?: string;
}

/** A standing interest in a subject. */
export interface BusSubscription {
  readonly subject: string;
  unsubscribe(): void;
}

/**
 * The narrow door to NATS. Every implementation passes the same conformance suite.
 * Nothing here throws for what happens on the network. A subject or header that cannot stand on the wire is
 * a mistake of the calling code and throws a `BusError` (`bus_bad_message`).
 */
export interface BusPort extends AsyncDisposable {
  /** Largest message the server takes, headers included, in bytes. */
  readonly maxPayloadBytes: number;
  /** Version the server announced last, such as `2.10.27`. Another server than expected may answer. */
  readonly serverVersion: string;
  /** Name the server announced last. */
  readonly serverName: string;
  connected(): boolean;
  /**
   * Hands a message to the connection; the size check counts headers. While disconnected nothing is kept
   * for later: whoever needs it delivered repeats it on `reconnected`.
   */
  publish(subject: string, data: Uint8Array, options?: PublishOptions): PublishOutcome;
  /**
   * Calls `onDelivery` for every message, one after the other, in the order the server sent them; what it
   * throws becomes `handler_failed`. The interest outlives reconnects, also when the server refused it once.
   */
  subscribe(subject: string, onDelivery: (delivery: BusDelivery) => void): BusSubscription;
  /** Listens to the connection; returns the way to stop. */
  onEvent(listener: (event: BusEvent) => void): () => void;
  /** Waits until the server has seen everything handed over, at most `timeoutMs`; false when it did not. */
  flush(timeoutMs: number): Promise<boolean>;
  /** Resolves when the connection is closed for good, with the error that closed it or null. */
  readonly closed: Promise<Error | null>;
  /**
   * Lets what was received and handed over go through within `timeoutMs` (2,000), then closes whatever is
   * left. A second call waits for the first.
   */
  close(timeoutMs?: number): Promise<void>;
}
