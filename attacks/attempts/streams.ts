import { type Attempt, requesting } from "../attempt.ts";

const api = (call: string): string => `$JS.API.${call}`;

const CONSUMER = {
  stream_name: "AUDIT",
  config: { durable_name: "spy", ack_policy: "none", deliver_policy: "all" },
};

/** What speakers ask of the audit stream that is not theirs to ask. */
export const ON_STREAMS: readonly Attempt[] = [
  requesting("mallory", api("STREAM.MSG.GET.AUDIT"), "a session reads a record", { seq: 1 }),
  requesting("mallory", api("CONSUMER.DURABLE.CREATE.AUDIT.spy"), "a session reads on", CONSUMER),
  requesting("mallory", api("STREAM.NAMES"), "a session lists streams"),
  requesting("mallory", api("INFO"), "a session looks at the account"),
  requesting("sink", api("STREAM.MSG.DELETE.AUDIT"), "a sink deletes a record", { seq: 1 }),
  requesting("sink", api("STREAM.PURGE.AUDIT"), "a sink empties the stream"),
  requesting("sink", api("STREAM.UPDATE.AUDIT"), "a sink changes the stream", { name: "AUDIT" }),
  requesting("sink", api("STREAM.CREATE.OTHER"), "a sink makes a stream", { name: "OTHER" }),
  requesting("sink", api("STREAM.SNAPSHOT.AUDIT"), "a sink takes a copy", {
    deliver_subject: "copy",
  }),
  requesting("sink", api("CONSUMER.LIST.AUDIT"), "a sink lists other readers"),
  requesting("sink", api("CONSUMER.DELETE.AUDIT.other"), "a sink ends another reader"),
  requesting("provisioner", api("STREAM.MSG.GET.AUDIT"), "a provisioner reads a record", {
    seq: 1,
  }),
  requesting(
    "provisioner",
    api("CONSUMER.DURABLE.CREATE.AUDIT.spy"),
    "a provisioner reads on",
    CONSUMER,
  ),
  requesting("provisioner", api("STREAM.MSG.DELETE.AUDIT"), "a provisioner deletes a record", {
    seq: 1,
  }),
  requesting("provisioner", api("STREAM.PURGE.AUDIT"), "a provisioner empties the stream"),
  requesting("provisioner", api("CONSUMER.LIST.AUDIT"), "a provisioner lists readers"),
  // Last: whoever may does end the stream.
  requesting("mallory", api("STREAM.DELETE.AUDIT"), "a session ends the stream"),
];
