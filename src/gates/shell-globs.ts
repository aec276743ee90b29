import { isAbsolute, resolve } from "node:path";
import { literalGlob } from "../shell/globs.ts";
import type { GateContext } from "./context.ts";
import { expandGlob, globBudget } from "./expand-glob.ts";
import { expandHome, type TypedPath } from "./path-facts.ts";
import type { ShellCall } from "./shell-call.ts";

/**
 * The files that the patterns of a command stand for now. Null when that is not known: there are too many, or nothing
 * can be looked up.
 */
export function foundByPatterns(
  { paths, workdir }: ShellCall,
  cwd: string,
  context: GateContext,
): readonly TypedPath[] | null {
  const patterns = paths.filter(({ glob }) => glob !== undefined);
  if (patterns.length === 0) return [];
  const { list } = context;
  if (list === undefined) return null;
  const start = workdir === null ? cwd : resolve(cwd, expandHome(workdir, context));
  const budget = globBudget();
  const found: TypedPath[] = [];
  for (const { glob = "", direction } of patterns) {
    const files = expandGlob(atHome(glob, context), { start, list, budget });
    if (files === null) return null;
    for (const file of files) {
      // Not resolved: what `..` leads to depends on links.
      found.push({ typed: isAbsolute(file) ? file : `${start}/${file}`, direction });
    }
  }
  return found;
}

function atHome(glob: string, context: GateContext): string {
  const home = expandHome(glob, context);
  // The home folder itself may have a name that reads as a pattern.
  return home === glob || !home.startsWith(context.home)
    ? home
    : literalGlob(context.home) + home.slice(context.home.length);
}
