import { describe, expect, it } from "vitest";
import { recordStreamConfig, streamDifferences } from "../../../src/bus/stream-settings.ts";

const choice = { prefix: "af.v1.crew", maxBytes: null, replicas: null };

describe("the settings of the audit stream", () => {
  it("are those of the design", () => {
    expect(recordStreamConfig(choice)).toEqual({
      name: "AUDIT",
      subjects: ["af.v1.crew.audit.*.*"],
      retention: "limits",
      storage: "file",
      discard: "new",
      discard_new_per_subject: true,
      max_age: 30 * 24 * 3600 * 1e9,
      max_bytes: 4 * 1024 ** 3,
      max_msgs_per_subject: 5_000_000,
      duplicate_window: 600 * 1e9,
      deny_delete: true,
      deny_purge: true,
      num_replicas: 1,
    });
  });

  it("differ in nothing from what was made by them", () => {
    expect(streamDifferences(recordStreamConfig(choice), choice)).toEqual([]);
  });

  it("leave size and copies to whoever set the stream up, unless they are asked for", () => {
    const found = { ...recordStreamConfig(choice), max_bytes: 7, num_replicas: 3 };
    expect(streamDifferences(found, choice)).toEqual([]);
    expect(streamDifferences(found, { ...choice, maxBytes: 8, replicas: 1 })).toEqual([
      { setting: "max_bytes", found: "7", wanted: "8" },
      { setting: "num_replicas", found: "3", wanted: "1" },
    ]);
  });

  it.each([
    ["subjects", { subjects: Array.of(">") }],
    ["retention", { retention: "workqueue" }],
    ["storage", { storage: "memory" }],
    ["discard", { discard: "old" }],
    ["max_age", { max_age: 1e9 }],
    ["max_bytes", { max_bytes: -1 }],
    ["max_msgs", { max_msgs: 10 }],
    ["max_msg_size", { max_msg_size: 100 }],
    ["max_msgs_per_subject", { max_msgs_per_subject: -1 }],
    ["duplicate_window", { duplicate_window: 120e9 }],
    ["deny_delete", { deny_delete: false }],
    ["deny_purge", { deny_purge: false }],
    ["no_ack", { no_ack: true }],
    ["republish", { republish: { src: ">", dest: "copy.>" } }],
    ["sealed", { sealed: true }],
    ["allow_msg_ttl", { allow_msg_ttl: true }],
    ["allow_msg_counter", { allow_msg_counter: true }],
    ["persist_mode", { persist_mode: "async" }],
  ] as const)("are not met by a stream with another %s", (setting, change) => {
    const found = { ...recordStreamConfig(choice), ...change };
    expect(streamDifferences(found, choice).map((one) => one.setting)).toContain(setting);
  });
});
