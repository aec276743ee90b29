import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** One relative import of a source file, both ends as paths below the walked root. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
}

/** Every source file below `root` and every relative import in them, type imports too. */
export interface ImportWalk {
  readonly files: readonly string[];
  readonly edges: readonly ImportEdge[];
  /** Files that switch the cycle rule of the linter off. */
  readonly disabling: readonly string[];
}

const SPECIFIER =
  /(?:^|[;}\s])(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["'](\.[^"']+)["']|import\(\s*["'](\.[^"']+)["']\s*\)/gm;

/** Walks the TypeScript files below `root`. */
export function walkImports(root: string): ImportWalk {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.split(sep).join("/"))
    .sort();
  const edges: ImportEdge[] = [];
  const disabling: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    if (/(?:ox|es)lint-disable[^\n]*no-cycle/.test(text)) disabling.push(file);
    for (const match of text.matchAll(SPECIFIER)) {
      const specifier = match[1] ?? match[2] ?? "";
      const target = relative(root, resolve(dirname(join(root, file)), specifier));
      edges.push({ from: file, to: target.split(sep).join("/") });
    }
  }
  return { files, edges, disabling };
}

/** The room a file below `src` belongs to: its first folder, or its own name without ending. */
export function roomOf(file: string): string {
  const slash = file.indexOf("/");
  return slash < 0 ? file.replace(/\.ts$/, "") : file.slice(0, slash);
}
