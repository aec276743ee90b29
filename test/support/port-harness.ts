import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { BusDelivery, BusEvent, BusPort } from "../../src/bus/port.ts";

/** One implementation of the port with a server to break. */
export interface PortHarness extends AsyncDisposable {
  open(): Promise<BusPort>;
  /** A port that may use `ok.>` alone. */
  openLimited(): Promise<BusPort>;
  /** Lets the limited ports use everything from their next reconnect on. */
  liftLimits(): Promise<void>;
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Announces the end of the server. */
  lameDuck(): Promise<void>;
}

/** The body of a delivery as text. */
export const text = (delivery: BusDelivery): string => Buffer.from(delivery.data).toString();

/** A body of this text. */
export const bytes = (value: string): Uint8Array => Buffer.from(value);

/** A token no other test uses. */
export const unique = (): string => randomBytes(6).toString("hex");

/** Everything a new subscription receives from now on. */
export function collect(port: BusPort, subject: string): BusDelivery[] {
  const seen: BusDelivery[] = [];
  port.subscribe(subject, (delivery) => seen.push(delivery));
  return seen;
}

/** Everything a port tells of itself from now on. */
export function listen(port: BusPort): BusEvent[] {
  const seen: BusEvent[] = [];
  port.onEvent((event) => seen.push(event));
  return seen;
}

/** Waits until the server has seen what each port handed over, one port after the other. */
export async function settled(...ports: readonly BusPort[]): Promise<void> {
  for (const port of ports) expect(await port.flush(5_000)).toBe(true);
}

/** The kinds of events, in order. */
export const kinds = (events: readonly BusEvent[]): string[] => events.map((event) => event.kind);

/** The events of one kind, in order. */
export const ofKind = (events: readonly BusEvent[], kind: BusEvent["kind"]): BusEvent[] =>
  events.filter((event) => event.kind === kind);
