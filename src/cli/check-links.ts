import { existsSync } from "node:fs";
import type { ConfigFinding } from "../config/explain-config.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { LinkOptions } from "../config/options.ts";
import { CommandError } from "./failure.ts";
import { GUARD, type LinkPlace, linkFolder, linkPath, linkProgram } from "./link-place.ts";
import { readPrivateFile } from "./private-file.ts";

/** What is wrong with the links of a configuration as far as it can be seen without asking one. */
export function checkLinks(config: LoadedConfig, home: string): readonly ConfigFinding[] {
  const { authorizerChain, links } = config.options;
  const place = { folder: linkFolder(config), home };
  return authorizerChain.flatMap((name) => {
    const about = `links.${name}`;
    const of = links.get(name);
    if (of === undefined) {
      const text = `authorizerChain names ${name}, which links does not hold: it is skipped`;
      return [
        { about, status: "fail", text, todo: "add it to links, or take it out of the chain" },
      ];
    }
    const text = faultOf(name, of, place);
    if (text === null) return [];
    return [{ about, status: "fail", text, todo: "correct the path; until then the link defers" }];
  });
}

function faultOf(name: string, of: LinkOptions, place: LinkPlace): string | null {
  if ("module" in of) {
    return of.module === GUARD ? null : absent("the module", linkPath(of.module, place));
  }
  if ("command" in of) {
    const program = linkProgram(of.command[0] ?? "", place);
    // A bare name depends on the PATH of whoever serves.
    return /[\\/]/.test(program) ? absent("the program", program) : null;
  }
  if (of.secretFile === undefined) return null;
  try {
    readPrivateFile(linkPath(of.secretFile, place), `the secret file of link ${name},`);
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

function absent(what: string, path: string): string | null {
  return existsSync(path) ? null : `${what} ${path} is not there`;
}
