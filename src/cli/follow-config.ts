import { toPolicySources } from "../config/compile-config.ts";
import { watchConfig } from "../config/watch-config.ts";
import type { PolicySources } from "../policy/sources.ts";
import { type Prepared, tellProblems } from "./prepare.ts";

/**
 * Puts other rules in force whenever the configuration changes, until it is disposed of. A user's file that is
 * rejected or gone meanwhile changes nothing: to drop its denies would be worse than to keep what held.
 */
export function followConfig(
  { request, config, log }: Prepared,
  setRules: (rules: PolicySources) => void,
): Disposable {
  const end = new AbortController();
  const onChange = (loaded: Prepared["config"]): void => {
    tellProblems(loaded, log);
    if (loaded.user.state === "rejected") {
      return log.error({ path: loaded.user.path }, "the rules that held before stay in force");
    }
    setRules(toPolicySources(loaded));
    log.info({}, "the configuration was read again");
  };
  watchConfig({ request, loaded: config, onChange, signal: end.signal }).catch((error: unknown) =>
    log.error({ error }, "changes of the configuration are not noticed any more"),
  );
  return { [Symbol.dispose]: () => end.abort() };
}
