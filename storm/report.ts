import type { Result } from "./run-fault.ts";
import { LEAST_STRIKES } from "./run-fault.ts";

/** The closing line of a run. */
export function closingLine({ verdict, reprompted }: Result): string {
  const { asks, counts } = verdict;
  const { lost, doubled, misdelivered, divergent } = counts;
  return [
    ["asks", asks],
    ["lost", lost],
    ["doubled", doubled],
    ["misdelivered", misdelivered],
    ["divergent", divergent],
    ["reprompted", reprompted],
  ]
    .map(([word, count]) => `${String(word)} ${String(count)}`)
    .join(" ");
}

/** Why a run failed, as sentences; empty when it held. `named` are the faults that must have struck. */
export function failuresOf(
  result: Result,
  asks: number,
  named: readonly string[],
): readonly string[] {
  const { verdict, fired, wrong } = result;
  const failures = verdict.found.map(({ fault, call, why }) => `${fault}: ${call}: ${why}`);
  if (verdict.asks !== asks) failures.push(`${String(verdict.asks)} of ${String(asks)} were asked`);
  const rare = named.filter((name) => (fired.get(name) ?? 0) < LEAST_STRIKES);
  for (const name of rare) {
    failures.push(`${name} struck ${String(fired.get(name) ?? 0)} times while asks were open`);
  }
  return [...failures, ...wrong];
}
