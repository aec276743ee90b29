import { resolve } from "node:path";
import type { LoadRequest } from "../config/load-config.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { defaultDataFolder } from "./join.ts";

/** The data folder by flag, environment and the user's own folders, in this order; absolute. */
export function dataFolder(
  flags: Pick<CommonFlags, "data">,
  { env, cwd, home }: Pick<Io, "env" | "cwd" | "home">,
): string {
  const named = flags.data || env["ASKFABRIC_DATA"];
  return named ? resolve(cwd, named) : defaultDataFolder(env, home);
}

/** What configuration is loaded for in a command. */
export function loadRequest(
  flags: Pick<CommonFlags, "config">,
  { env, cwd, home }: Pick<Io, "env" | "cwd" | "home">,
): LoadRequest {
  return { env, cwd, home, ...(flags.config ? { config: flags.config } : {}) };
}
