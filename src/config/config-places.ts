import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./read-environment.ts";

/** Where a program runs, read where it is composed. */
export interface Surroundings {
  readonly env: Environment;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Absolute path of the working folder. */
  readonly cwd: string;
}

/** Absolute paths of everything configuration is read from. */
export interface ConfigPlaces {
  /** The user's file. */
  readonly user: string;
  /** Whether the user's file was named by a flag or a variable, and so must be there. */
  readonly userNamed: boolean;
  /** The project's file. */
  readonly project: string;
  /** Which project files are trusted in which state. */
  readonly trust: string;
}

/**
 * Finds the places: the user's file is the one that is named, or `askfabric/config.json` in the XDG configuration
 * folder; the project's is `.askfabric/config.json` in the working folder.
 *
 * @param named - What `--config` names; undefined when it is not given.
 */
export function configPlaces({ env, home, cwd }: Surroundings, named?: string): ConfigPlaces {
  const xdg = env["XDG_CONFIG_HOME"];
  // A relative path in the variable is void by the XDG rules.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, ".config");
  const own = join(base, "askfabric");
  const user = named ?? env["ASKFABRIC_CONFIG"] ?? "";
  return {
    user: user === "" ? join(own, "config.json") : resolve(cwd, user),
    userNamed: user !== "",
    project: join(cwd, ".askfabric", "config.json"),
    trust: join(own, "trusted.json"),
  };
}
