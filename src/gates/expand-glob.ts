import type { FolderEntry } from "./context.ts";
import { compileSegment, isPattern, nameOf } from "./match-glob.ts";

/** Most files that the patterns of one call may stand for. */
export const MAX_MATCHES = 1000;

/** Most folders that are looked into for one call, and most names seen in them. */
const MAX_FOLDERS = 300;
const MAX_SEEN = 20_000;

/** What is left to look at for one call. */
export interface GlobBudget {
  matches: number;
  folders: number;
  seen: number;
}

/** A budget that nothing was taken from. */
export function globBudget(): GlobBudget {
  return { matches: MAX_MATCHES, folders: MAX_FOLDERS, seen: MAX_SEEN };
}

/** Lists a folder; empty when it is none, null when it could not be found out what is in it. */
export type ListFolder = (absolute: string) => readonly FolderEntry[] | null;

class Unknown extends Error {}

/**
 * The files that a shell's pattern stands for now, as the pattern is written: from `start`, an absolute folder, or from
 * the root. Null when they are too many, too much has to be looked at, or a folder cannot be. `**` is any number of folders, as
 * some shells read it, none among them.
 */
export function expandGlob(
  glob: string,
  { start, list, budget }: { readonly start: string; list: ListFolder; budget: GlobBudget },
): readonly string[] | null {
  const look = (folder: string): readonly FolderEntry[] => {
    budget.folders -= 1;
    const found =
      budget.folders < 0 ? [] : list(folder.startsWith("/") ? folder : `${start}/${folder}`);
    if (found === null) throw new Unknown();
    budget.seen -= found.length;
    if (budget.folders < 0 || budget.seen < 0) throw new Unknown();
    return found;
  };
  let reached: readonly string[] = [glob.startsWith("/") ? "/" : ""];
  let isListed = false;
  try {
    for (const segment of glob.split("/").filter((one) => one !== "")) {
      isListed ||= isPattern(segment);
      const found = isListed
        ? reached.flatMap((folder) => into(folder, segment, look))
        : reached.map((folder) => folder + nameOf(segment));
      if (found.length > budget.matches) return null;
      reached = found.map((path) => `${path}/`);
    }
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
  budget.matches -= reached.length;
  return reached.map((path) => path.slice(0, -1));
}

type Look = (folder: string) => readonly FolderEntry[];

/** The places that one segment leads to from a folder. */
function into(folder: string, segment: string, look: Look): readonly string[] {
  if (segment === "**") return deeper(folder, look);
  if (isPattern(segment)) {
    const matches = compileSegment(segment);
    return look(folder).flatMap(({ name }) => (matches(name) ? [folder + name] : []));
  }
  const name = nameOf(segment);
  if (name === "." || name === "..") return [folder + name];
  // Some file systems do not tell cases apart.
  const isThere = look(folder).some((entry) => sameName(entry.name, name));
  return isThere ? [folder + name] : [];
}

function deeper(folder: string, look: Look): readonly string[] {
  const found = folder === "" ? ["."] : [folder.replace(/\/$/, "")];
  for (const { name, isFolder } of look(folder)) {
    if (name.startsWith(".")) continue;
    found.push(folder + name);
    if (isFolder) found.push(...deeper(`${folder}${name}/`, look).slice(1));
  }
  return found;
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string): string => name.normalize("NFC").toLowerCase();
  return one === other || plain(one) === plain(other);
}
