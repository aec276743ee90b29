import { type ConfigSources, compileConfig } from "../../../src/config/compile-config.ts";
import type { Ops } from "./ops.ts";

/** Operations on the config room. */
export const configOps: Ops = {
  compileConfig: ({ sources }: { sources: ConfigSources }) => {
    const { ok, options, issues } = compileConfig(sources);
    return {
      ok,
      options: Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, shown(value)]),
      ),
      issues: issues.map(({ source, path, message }) => ({ source, path, message })),
    };
  },
};

function shown(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
