import { attestedAgents, parseRoster } from "../access/roster.ts";
import { CommandError } from "./failure.ts";
import type { Io } from "./io.ts";
import { readNamedFile } from "./named-file.ts";

/**
 * The agent names that a roster attests, by session.
 *
 * @throws {@link CommandError} when the file cannot be read or is no roster.
 */
export function readRoster(
  file: string,
  io: Pick<Io, "cwd" | "clock">,
): ReadonlyMap<string, string> {
  const { path, text } = readNamedFile("--roster", file, io);
  const roster = parseRoster(text);
  if (typeof roster !== "string") return attestedAgents(roster, io.clock.now());
  throw new CommandError(
    `--roster names ${path}, which is no roster (${roster}); copy roster.json of the issuer's folder`,
  );
}
