import { readFileSync } from "node:fs";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { RECORD_STREAM } from "../../src/bus/stream-settings.ts";

/** How the audit stream stands. */
export interface StreamState {
  /** Name of the server that leads it; null where it is alone. */
  readonly leader: string | null;
  readonly bytes: number;
}

const ANSWER_MS = 2_000;

/** Looks at the audit stream as its provisioner; null when nobody answers. */
export async function lookAtStream(
  servers: readonly string[],
  secretFile: string,
): Promise<StreamState | null> {
  try {
    const connection = await connect({
      servers: [...servers],
      user: "provisioner",
      pass: readFileSync(secretFile, "utf8").trim(),
      inboxPrefix: "af.v1.default.inbox.provisioner",
      timeout: ANSWER_MS,
      reconnect: false,
    });
    try {
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
      const { cluster, state } = await manager.streams.info(RECORD_STREAM);
      return { leader: cluster?.leader ?? null, bytes: state.bytes };
    } finally {
      await connection.close();
    }
  } catch {
    // Servers that look for a leader do not answer.
    return null;
  }
}
