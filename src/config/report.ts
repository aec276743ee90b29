import { type ConfigIssue, type ConfigSource, pathOf, shownValue } from "./issues.ts";
import type { JsonTree, Place } from "./json-tree.ts";

/** The way to a value: keys and indices from the top. */
export type Segments = readonly (string | number)[];

/** Collects what is wrong with one source. */
export interface Report {
  /** A value that is not what it must be; `must` says what, as a clause. */
  fault(at: Segments, tree: JsonTree, must: string): void;
  /** A fault with a message of its own, or one about the whole file when `at` is empty. */
  say(at: Segments, message: string, place?: Place): void;
  /** Something a person should know that changes nothing. */
  note(at: Segments, message: string, place?: Place): void;
  readonly issues: readonly ConfigIssue[];
  /** Whether a fault was reported. */
  rejected(): boolean;
}

/** Issues that are told of one source: each is shown to people and kept as a record. */
const MOST_ISSUES = 100;

/** Begins a report on one source. */
export function createReport(source: ConfigSource): Report {
  const issues: ConfigIssue[] = [];
  let untold = 0;
  let rejected = false;
  const add = (at: Segments, told: () => string, rejects: boolean, place?: Place): void => {
    rejected ||= rejects;
    if (issues.length === MOST_ISSUES) {
      untold += 1;
      return;
    }
    issues.push(
      Object.freeze({
        source,
        path: pathOf(at),
        message: told(),
        rejects,
        ...(place === undefined ? {} : { at: Object.freeze(place) }),
      }),
    );
  };
  const more = (): ConfigIssue => ({
    source,
    path: "",
    message: `${String(untold)} more problems are not told; mend these first`,
    rejects: rejected,
  });
  return {
    fault: (at, tree, must) =>
      add(at, () => `${pathOf(at)} is ${shownValue(at, tree)}; ${must}`, true, tree.at),
    say: (at, message, place) => add(at, () => message, true, place),
    note: (at, message, place) => add(at, () => message, false, place),
    get issues() {
      return untold === 0 ? issues : [...issues, Object.freeze(more())];
    },
    rejected: () => rejected,
  };
}
