import { errors, type Status } from "@nats-io/nats-core";
import type { BusEvent } from "./port.ts";

/** What a status of the client library says to users of the port; null for what they need not know. */
export function toBusEvent(status: Status): BusEvent | null {
  if (status.type === "ldm") return { kind: "lame_duck", server: status.server };
  return status.type === "error" ? toErrorEvent(status.error) : null;
}

function toErrorEvent(error: Error): BusEvent {
  if (error instanceof errors.PermissionViolationError) {
    const { operation, subject } = error;
    return operation === "publish"
      ? { kind: "publish_refused", subject }
      : { kind: "subscription_refused", subject };
  }
  if (
    error instanceof errors.AuthorizationError ||
    error instanceof errors.UserAuthenticationExpiredError
  ) {
    return { kind: "auth_refused", text: error.message };
  }
  if (/slow consumer/i.test(error.message)) return { kind: "slow_consumer", subject: "" };
  return { kind: "server_error", text: error.message };
}
