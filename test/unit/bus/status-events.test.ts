import { errors, type Status } from "@nats-io/nats-core";
import { describe, expect, it } from "vitest";
import { toBusEvent } from "../../../src/bus/status-events.ts";

const failed = (text: string): Status => ({ type: "error", error: new errors.ProtocolError(text) });

describe("what the library says of itself", () => {
  it.each<[string, Status, unknown]>([
    [
      "a refused publish",
      { type: "error", error: new errors.PermissionViolationError("x", "publish", "a.b") },
      { kind: "publish_refused", subject: "a.b" },
    ],
    [
      "a refused subscription",
      { type: "error", error: new errors.PermissionViolationError("x", "subscription", "a.*") },
      { kind: "subscription_refused", subject: "a.*" },
    ],
    [
      "refused credentials",
      { type: "error", error: new errors.AuthorizationError("Authorization Violation") },
      { kind: "auth_refused", text: "Authorization Violation" },
    ],
    [
      "expired credentials",
      { type: "error", error: new errors.UserAuthenticationExpiredError("expired") },
      { kind: "auth_refused", text: "expired" },
    ],
    ["a slow consumer", failed("Slow Consumer"), { kind: "slow_consumer", subject: "" }],
    [
      "any other complaint",
      failed("maximum connections exceeded"),
      { kind: "server_error", text: "maximum connections exceeded" },
    ],
    ["the end to come", { type: "ldm", server: "h:1" }, { kind: "lame_duck", server: "h:1" }],
    ["a ping", { type: "ping", pendingPings: 1 }, null],
    ["a new attempt", { type: "reconnecting" }, null],
  ])("port tells of %s", (_name, status, event) => {
    expect(toBusEvent(status)).toEqual(event);
  });
});
