import type { Presence } from "../ask/messages.ts";
import type { Bus } from "../bus/bus.ts";
import { openChildLine } from "../bus/child-line.ts";
import type { BusPort } from "../bus/port.ts";
import type { CheckLine } from "./lines.ts";

/** Longest wait for a heartbeat, which comes every second, in milliseconds. */
const HEARTBEAT_WAIT_MS = 2500;

/** Least size of a message that carries the largest ask, in bytes. */
const LEAST_PAYLOAD = 512 * 1024;

/** Which server answered, and whether it takes the largest ask. */
export function checkServer(port: BusPort): CheckLine {
  const text = `nats-server ${port.serverVersion} (${port.serverName}) answers, messages up to ${port.maxPayloadBytes} bytes`;
  const check = "server";
  const [major = 0, minor = 0] = port.serverVersion.split(".").map(Number);
  if (major < 2 || (major === 2 && minor < 9)) {
    return { check, status: "fail", text, todo: "use nats-server 2.9 or newer" };
  }
  if (port.maxPayloadBytes < LEAST_PAYLOAD) {
    return {
      check,
      status: "warn",
      text,
      todo: `set max_payload to ${LEAST_PAYLOAD} or more: larger asks are lost as ask_too_large`,
    };
  }
  if (major === 2 && minor < 10) {
    return {
      check,
      status: "warn",
      text,
      todo: "2.10 and newer can write records through every second",
    };
  }
  return { check, status: "ok", text };
}

/** The heartbeats of some sessions, as far as they are heard in time; null for each that is not. */
export async function hearSessions(
  bus: Bus,
  who: {
    readonly sessions: readonly string[];
    readonly as: string;
    readonly stop: AbortSignal;
  },
): Promise<ReadonlyMap<string, Presence | null>> {
  const heard = new Map<string, Presence | null>(who.sessions.map((session) => [session, null]));
  const missing = new Set(heard.keys());
  const all = Promise.withResolvers<null>();
  const line = openChildLine({
    bus,
    session: who.as,
    pending: () => undefined,
    onInbound: (inbound) => {
      if (inbound.kind !== "presence") return;
      heard.set(inbound.message.session, inbound.message);
      missing.delete(inbound.message.session);
      if (missing.size === 0) all.resolve(null);
    },
  });
  const giveUp = (): void => all.resolve(null);
  const timer = setTimeout(giveUp, HEARTBEAT_WAIT_MS);
  who.stop.addEventListener("abort", giveUp, { once: true });
  try {
    for (const session of missing) line.watchParent(session);
    if (missing.size > 0) await all.promise;
    return heard;
  } finally {
    who.stop.removeEventListener("abort", giveUp);
    clearTimeout(timer);
    line.close();
  }
}

/** Whether somebody serves a parent: its heartbeat is heard. */
export function checkServed(parent: string, heard: Presence | null): CheckLine {
  const check = "parent";
  if (heard?.state === "up" && heard.serving) {
    const open = heard.openAsks === 0 ? "" : `, ${String(heard.openAsks)} asks are open there`;
    return { check, status: "ok", text: `${parent} is served${open}` };
  }
  if (heard !== null) {
    const next = heard.successor === undefined ? "" : `; ${heard.successor} takes over`;
    return { check, status: "warn", text: `${parent} ends when nothing is open there${next}` };
  }
  return {
    check,
    status: "fail",
    text: `nobody serves ${parent} in this fleet: no heartbeat came within ${HEARTBEAT_WAIT_MS} ms`,
    todo: `start "askfabric serve --session ${parent}" with the same server and fleet`,
  };
}
