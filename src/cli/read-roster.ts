import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { attestedAgents, parseRoster } from "../access/roster.ts";
import { CommandError, sentenceOf } from "./failure.ts";
import type { Io } from "./io.ts";

/**
 * The agent names that a roster attests, by session.
 *
 * @throws {@link CommandError} when the file cannot be read or is no roster.
 */
export function readRoster(
  file: string,
  { cwd, clock }: Pick<Io, "cwd" | "clock">,
): ReadonlyMap<string, string> {
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`--roster names ${path}, which cannot be read (${sentenceOf(error)})`, {
      cause: error,
    });
  }
  const roster = parseRoster(text);
  if (typeof roster !== "string") return attestedAgents(roster, clock.now());
  throw new CommandError(
    `--roster names ${path}, which is no roster (${roster}); copy roster.json of the issuer's folder`,
  );
}
