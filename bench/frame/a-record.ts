import type { RecordDraft } from "../../src/ask/record.ts";

/** A record as an ask leaves most of them: some 450 bytes of body, 310 of header. */
export function aRecord(place: number): RecordDraft {
  const requestId = `perm-${String(place).padStart(12, "0")}-4e80-43aa-6695-439a8e2c60528`;
  return {
    kind: "review",
    requestId,
    body: {
      event: "forwarded_permission.response_received",
      requestId,
      targetSessionId: "lead",
      responderSessionId: "lead",
      state: "approved",
      decidedBy: {
        kind: "rule",
        surface: "bash",
        pattern: "cargo test *",
        origin: "global",
      },
      surface: "bash",
      value: `cargo test --workspace --locked --features http,tls,json -p server-${String(place)}`,
      via: [],
      waitedMs: 4,
    },
  };
}
