import { toPolicySources } from "../config/compile-config.ts";
import { watchConfig } from "../config/watch-config.ts";
import type { PolicySources } from "../policy/sources.ts";
import { type NoteTaker, noteConfig } from "./note-config.ts";
import { type Prepared, tellProblems } from "./prepare.ts";

/** A role whose rules can be replaced while it runs. */
export interface RuleFollower extends NoteTaker {
  setRules(rules: PolicySources): void;
}

/**
 * Records the configuration of a role, and puts other rules in force whenever it changes, until it is disposed
 * of. A user's file that is rejected meanwhile changes nothing: to drop its denies would be worse
 * than to keep what held. `more` is called after the rules, with what else the new configuration says.
 */
export function followConfig(
  { request, config, log }: Prepared,
  role: RuleFollower,
  more?: (loaded: Prepared["config"]) => void,
): Disposable {
  const end = new AbortController();
  const onChange = (loaded: Prepared["config"]): void => {
    tellProblems(loaded, log);
    noteConfig(role, loaded);
    if (loaded.user.state === "rejected") {
      return log.error({ path: loaded.user.path }, "the rules that held before stay in force");
    }
    role.setRules(toPolicySources(loaded));
    more?.(loaded);
    log.info({}, "the configuration was read again");
  };
  noteConfig(role, config);
  watchConfig({ request, loaded: config, onChange, signal: end.signal }).catch((error: unknown) =>
    log.error({ error }, "changes of the configuration are not noticed any more"),
  );
  return { [Symbol.dispose]: () => end.abort() };
}
