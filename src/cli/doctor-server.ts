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

/** Whether somebody serves the parent: its heartbeat is heard. */
export async function checkServed(
  bus: Bus,
  who: {
    readonly parent: string;
    readonly session: string | undefined;
    readonly stop: AbortSignal;
  },
): Promise<CheckLine> {
  const { parent, session, stop } = who;
  const heard = Promise.withResolvers<boolean>();
  const line = openChildLine({
    bus,
    session: session ?? "doctor",
    pending: () => undefined,
    onInbound: (inbound) => {
      if (inbound.kind === "presence") heard.resolve(inbound.message.serving);
    },
  });
  const timer = setTimeout(() => heard.resolve(false), HEARTBEAT_WAIT_MS);
  const giveUp = (): void => heard.resolve(false);
  stop.addEventListener("abort", giveUp, { once: true });
  try {
    line.watchParent(parent);
    if (await heard.promise) return { check: "parent", status: "ok", text: `${parent} is served` };
    return {
      check: "parent",
      status: "fail",
      text: `nobody serves ${parent} in this fleet: no heartbeat came within ${HEARTBEAT_WAIT_MS} ms`,
      todo: `start "askfabric serve --session ${parent}" with the same server and fleet`,
    };
  } finally {
    stop.removeEventListener("abort", giveUp);
    clearTimeout(timer);
    line.close();
  }
}
