import type { Incarnation } from "../ask/messages.ts";

/** An epoch counts processes: what has more digits than any count needs is none, and costs no time to read. */
const EPOCH = /^(0|[1-9]\d{0,29})\./;

/** Says whether `incarnation` began after `other`, by their epochs as numbers; false when either has none. */
export function isLater(incarnation: Incarnation, other: Incarnation | null): boolean {
  const epoch = epochOf(incarnation);
  const than = other === null ? null : epochOf(other);
  return epoch !== null && than !== null && epoch > than;
}

function epochOf(incarnation: Incarnation): bigint | null {
  const digits = EPOCH.exec(incarnation)?.[1];
  return digits === undefined ? null : BigInt(digits);
}
