import {
  errors,
  type Msg,
  type MsgHdrs,
  MsgHdrsImpl,
  type NatsConnection,
} from "@nats-io/nats-core";
import type { BusDelivery, PublishOptions, PublishOutcome } from "./port.ts";

/** Hands a checked message to the connection. */
export function hand(
  connection: NatsConnection,
  subject: string,
  data: Uint8Array,
  options: PublishOptions | undefined,
): PublishOutcome {
  try {
    connection.publish(subject, data, {
      ...(options?.headers && { headers: toHeaders(options.headers) }),
      ...(options?.reply !== undefined && { reply: options.reply }),
    });
    return "sent";
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError) return "too_large";
    return "closed";
  }
}

/** Each name stands once and was checked: what the library would look through again for each of them. */
function toHeaders(given: Readonly<Record<string, string>>): MsgHdrs {
  return MsgHdrsImpl.fromRecord(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value.trim()]])),
  );
}

/** A message as users of the port see it. */
export function toDelivery(message: Msg): BusDelivery {
  const { subject, data, headers } = message;
  return {
    subject,
    data,
    header: (name) => (headers?.has(name) ? headers.get(name) : undefined),
    noResponders: data.length === 0 && headers?.code === 503,
  };
}
