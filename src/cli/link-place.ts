import { dirname, isAbsolute, join, resolve } from "node:path";
import type { LoadedConfig } from "../config/load-config.ts";

/** What paths of links are relative to. */
export interface LinkPlace {
  /** Folder of the file that names the links. */
  readonly folder: string;
  readonly home: string;
}

/** Name of the link that comes with the program, in place of a module's path. */
export const GUARD = "askfabric:guard";

/** The folder of the file that names the links of a configuration. */
export function linkFolder({
  origins,
  user,
  project,
}: Pick<LoadedConfig, "origins" | "user" | "project">): string {
  return dirname(origins.links === "project" ? project.path : user.path);
}

/** A path as the configuration names it, absolute. */
export function linkPath(path: string, { folder, home }: LinkPlace): string {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** The program of a link: a path, or a bare name that is looked for on the PATH. */
export function linkProgram(program: string, place: LinkPlace): string {
  return /[\\/]/.test(program) || program === "~" ? linkPath(program, place) : program;
}
