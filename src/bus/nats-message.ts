import {
  errors,
  type Msg,
  type MsgHdrs,
  MsgHdrsImpl,
  type NatsConnection,
} from "@nats-io/nats-core";
import type { BusDelivery, PublishOutcome } from "./port.ts";

/** A checked message; `headers` as they stand on the wire, null or empty without any. */
export interface OutgoingMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Uint8Array | null;
  readonly reply: string | undefined;
}

/** Hands a checked message to the connection. */
export function hand(
  connection: NatsConnection,
  { subject, data, headers, reply }: OutgoingMessage,
): PublishOutcome {
  try {
    connection.publish(subject, data, {
      ...(headers !== null && headers.length > 0 && { headers: new WrittenHeaders(headers) }),
      ...(reply !== undefined && { reply }),
    });
    return "sent";
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError) return "too_large";
    return "closed";
  }
}

/** Headers that were written and checked already: what the library would do once more, name by name. */
class WrittenHeaders extends MsgHdrsImpl {
  readonly #block: Uint8Array;

  constructor(block: Uint8Array) {
    super();
    this.#block = block;
  }

  override encode(): Uint8Array {
    return this.#block;
  }
}

/** The headers of a message. Those that cannot be taken apart, which a server passes on as they are, say nothing. */
export function headersOf(message: {
  readonly headers?: MsgHdrs | undefined;
}): MsgHdrs | undefined {
  try {
    return message.headers;
  } catch {
    return undefined;
  }
}

/** A message as users of the port see it. */
export function toDelivery(message: Msg): BusDelivery {
  const { subject, data } = message;
  const headers = headersOf(message);
  return {
    subject,
    data,
    header: (name) => (headers?.has(name) ? headers.get(name) : undefined),
    noResponders: data.length === 0 && headers?.code === 503,
  };
}
