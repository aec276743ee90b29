/** Things a parent counts that leave no answer behind or are worth an alarm. */
export type CounterName =
  | "asks"
  | "answered_by_rule"
  | "malformed"
  | "rid_conflict"
  | "refused"
  | "late"
  | "link_failed"
  | "operator_refused"
  | "failed";

/** Counts by name since this process began. */
export interface Counters {
  count(name: CounterName): void;
  read(): Readonly<Partial<Record<CounterName, number>>>;
}

/** Begins to count from zero. */
export function openCounters(): Counters {
  const counts: Partial<Record<CounterName, number>> = {};
  return {
    count(name): void {
      counts[name] = (counts[name] ?? 0) + 1;
    },
    read: () => ({ ...counts }),
  };
}
