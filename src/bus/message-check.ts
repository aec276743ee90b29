import { BusError } from "./bus-error.ts";

const TOKEN = /^[^\s.*>\p{Cc}]+$/u;
const SUBJECT = /^[^\s.*>\p{Cc}]+(?:\.[^\s.*>\p{Cc}]+)*$/u;
const HEADER_NAME = /^[!-9;-~]+$/;

/** Most subjects by far: those of this product's tokens. */
const PLAIN_SUBJECT = /^[A-Za-z0-9_=-]+(?:\.[A-Za-z0-9_=-]+)*$/;

/** Demands a subject that can be published to: tokens without wildcards, blanks or empty places. */
export function checkSubject(subject: string): void {
  if (PLAIN_SUBJECT.test(subject)) return;
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

/** Header names that were looked at: a program has few. */
const soundNames = new Set<string>();
const MOST_NAMES = 256;

/**
 * Writes headers as they stand on the wire, blanks around values taken off; empty when there are none. The server
 * counts these bytes against its largest payload.
 *
 * @throws {@link BusError} `bus_bad_message` for a name or value that would break the frame.
 */
export function headerBlock(headers: Readonly<Record<string, string>>): Uint8Array {
  let block = "";
  for (const name in headers) {
    if (!Object.hasOwn(headers, name)) continue;
    if (!soundNames.has(name)) checkName(name);
    const value = headers[name] ?? "";
    if (value.includes("\n") || value.includes("\r")) {
      throw new BusError("bus_bad_message", `the value of header ${name} holds a line break`);
    }
    block += `${name}: ${value.trim()}\r\n`;
  }
  return block === "" ? NO_HEADERS : Buffer.from(`NATS/1.0\r\n${block}\r\n`, "utf8");
}

const NO_HEADERS = new Uint8Array(0);

function checkName(name: string): void {
  if (!HEADER_NAME.test(name)) {
    throw new BusError("bus_bad_message", `${JSON.stringify(name)} is no header name`);
  }
  if (soundNames.size < MOST_NAMES) soundNames.add(name);
}
