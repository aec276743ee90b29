import { posix, win32 } from "node:path";
import type { AccessPath } from "../ask/facts.ts";
import type { GateContext } from "./context.ts";

/** What a call does to a path; null when it may do either. */
export type Direction = "read" | "write" | null;

/** A path as a call gives it. */
export interface TypedPath {
  readonly typed: string;
  readonly direction: Direction;
  /** The folder it starts from, as it was typed; absent: the call's working directory. */
  readonly from?: string;
}

/** One path of a call, as it was typed and as the machine knows it. */
export interface PathFacts {
  readonly typed: string;
  readonly direction: Direction;
  readonly absolute: string;
  readonly canonical: string;
  /** Absolute, relative to the working directory, canonical, canonical relative to it; each once. */
  readonly aliases: readonly string[];
  /** Whether the canonical path lies outside the working directory. */
  readonly outside: boolean;
}

/** The path families a path can be asked about. */
export type PathFamily = "path" | "external_directory";

const HOME_WORDS = ["~", "$HOME", "${HOME}"];

/** Finds out everything rules are matched against for one path of a call. */
export function pathFacts(path: TypedPath, cwd: string, context: GateContext): PathFacts {
  const paths = flavour(context);
  const { typed, direction, from } = path;
  const start = from === undefined ? cwd : paths.resolve(cwd, expandHome(from, context));
  const expanded = plainName(expandHome(typed, context), context);
  const absolute = paths.resolve(start, expanded);
  const folder = context.realpath(paths.resolve(cwd));
  const lexical = context.realpath(absolute);
  const walked = climbs(expanded) ? walk(expanded, start, context) : lexical;
  const canonical = isInside(lexical, folder, context) ? walked : lexical;
  const aliases = [
    absolute,
    relativeTo(paths.resolve(cwd), absolute, context),
    canonical,
    relativeTo(folder, canonical, context),
    lexical,
    walked,
  ].filter((alias) => alias !== null);
  return {
    typed,
    direction,
    absolute,
    canonical,
    aliases: [...new Set(aliases)],
    outside: !isInside(canonical, folder, context),
  };
}

/** The surface of a family for what a call does to a path. */
export function pathSurface(family: PathFamily, direction: Direction): string {
  return direction === null ? family : `${family}_${direction}`;
}

/** The path tokens as they are told to every node that judges the call. */
export function accessPaths(paths: readonly PathFacts[]): readonly AccessPath[] {
  return paths.flatMap((path) => {
    const families: PathFamily[] = path.outside ? ["path", "external_directory"] : ["path"];
    return families.map((family) => ({
      surface: pathSurface(family, path.direction),
      matchValues: path.aliases,
      boundaryValue: path.canonical,
    }));
  });
}

/** Says whether a canonical path is a folder or lies in it. */
export function isInside(path: string, folder: string, context: GateContext): boolean {
  return relativeTo(folder, path, context) !== null;
}

function relativeTo(folder: string, path: string, context: GateContext): string | null {
  const paths = flavour(context);
  const found = paths.relative(folder, path);
  if (found === "") return ".";
  const leaves = found === ".." || found.startsWith(`..${paths.sep}`) || paths.isAbsolute(found);
  return leaves ? null : found;
}

/** A path with the home folder in the place of its sign. */
export function expandHome(typed: string, context: GateContext): string {
  for (const word of HOME_WORDS) {
    if (typed === word) return context.home;
    if (typed.startsWith(`${word}/`)) return context.home + typed.slice(word.length);
    const isWindows = context.platform === "win32";
    if (isWindows && typed.startsWith(`${word}\\`)) return context.home + typed.slice(word.length);
  }
  // Another person's home: where it is cannot be known here, but it is not in the working directory.
  const other = /^~[A-Za-z_][\w.-]*(?=\/|$)/.exec(typed)?.[0];
  if (other === undefined) return typed;
  const paths = flavour(context);
  const home = paths.join(paths.dirname(context.home), other.slice(1));
  return home + typed.slice(other.length);
}

/**
 * The name that Windows itself makes of a path: without the prefix that turns its parser off, without the stream
 * behind a file's name, and without the dots and blanks at the end of a part. Elsewhere they are part of the name.
 */
function plainName(path: string, { platform }: GateContext): string {
  if (platform !== "win32") return path;
  const [, drive = "", rest = ""] =
    /^((?:[a-z]:)?)(.*)$/is.exec(path.replace(/^[\\/]{2}[?.][\\/](?=[a-z]:)/i, "")) ?? [];
  const parts = rest.split(/([\\/])/).map((part) => {
    const name = part.replace(/:.*$/s, "");
    return /^\.{1,2}$/.test(name) ? name : name.replace(/[. ]+$/, "");
  });
  return drive + parts.join("");
}

function climbs(path: string): boolean {
  return /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

/**
 * The canonical path as the system walks it: `..` behind a link leads to the parent of the link's target,
 * which the text alone does not show.
 */
function walk(expanded: string, cwd: string, context: GateContext): string {
  const paths = flavour(context);
  const whole = paths.isAbsolute(expanded) ? expanded : `${paths.resolve(cwd)}/${expanded}`;
  const { root } = paths.parse(whole);
  let at = root;
  for (const part of whole.slice(root.length).split(/[\\/]/)) {
    if (part === "" || part === ".") continue;
    at = part === ".." ? paths.dirname(at) : context.realpath(paths.join(at, part));
  }
  return at;
}

function flavour(context: GateContext): typeof posix {
  return context.platform === "win32" ? win32 : posix;
}
