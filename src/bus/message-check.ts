import { BusError } from "./bus-error.ts";

const TOKEN = /^[^\s.*>\p{Cc}]+$/u;
const SUBJECT = /^[^\s.*>\p{Cc}]+(?:\.[^\s.*>\p{Cc}]+)*$/u;
const HEADER_NAME = /^[!-9;-~]+$/;

/** Demands a subject that can be published to: tokens without wildcards, blanks or empty places. */
export function checkSubject(subject: string): void {
  if (!SUBJECT.test(subject)) {
    throw new BusError("bus_bad_message", `${JSON.stringify(subject)} is no subject to publish to`);
  }
}

/** Demands a subject that can be subscribed to: `*` as a whole token, `>` as the last one. */
export function checkFilter(subject: string): void {
  const tokens = subject.split(".");
  const last = tokens.length - 1;
  const sound = tokens.every(
    (token, place) => token === "*" || (token === ">" && place === last) || TOKEN.test(token),
  );
  if (!sound)
    throw new BusError(
      "bus_bad_message",
      `${JSON.stringify(subject)} is no subject to subscribe to`,
    );
}

/**
 * Bytes that headers take on the wire, as the server counts them against its largest payload.
 *
 * @throws {@link BusError} `bus_bad_message` for a name or value that would break the frame.
 */
export function headerBytes(headers: Readonly<Record<string, string>>): number {
  const entries = Object.entries(headers);
  if (entries.length === 0) return 0;
  let bytes = "NATS/1.0\r\n\r\n".length;
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name)) {
      throw new BusError("bus_bad_message", `${JSON.stringify(name)} is no header name`);
    }
    if (/[\r\n]/.test(value)) {
      throw new BusError("bus_bad_message", `the value of header ${name} holds a line break`);
    }
    bytes += name.length + Buffer.byteLength(value.trim(), "utf8") + ": \r\n".length;
  }
  return bytes;
}
