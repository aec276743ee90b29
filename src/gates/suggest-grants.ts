import type { GrantPattern } from "../ask/grant.ts";
import { arityOf } from "./arity.ts";

const PATH_SURFACES = new Set(
  ["path", "external_directory"].flatMap((name) => [name, `${name}_read`, `${name}_write`]),
);

/** As many words as can name an action, one more, and a blank before them. */
const MOST_WORDS = 5;

/**
 * The grants an approval of `value` on `surface` would leave; empty when none can be offered. Patterns have
 * no escape, so a value that itself reads as a pattern or as a home folder is not offered.
 */
export function suggestGrants(surface: string, value: string): readonly GrantPattern[] {
  const pattern = patternFor(surface, value);
  if (pattern === null || readsAsPattern(surface)) return [];
  const { literal, ending } = pattern;
  if (readsAsPattern(literal) || /^[~$]/.test(literal)) return [];
  return [{ surface, pattern: literal + ending }];
}

interface Suggested {
  readonly literal: string;
  readonly ending: string;
}

function patternFor(surface: string, value: string): Suggested | null {
  if (surface === "bash") return commandPattern(value);
  if (surface === "mcp") return serverPattern(value);
  if (surface === "skill") return { literal: value, ending: "" };
  if (PATH_SURFACES.has(surface)) return folderPattern(value);
  return { literal: "", ending: "*" };
}

function readsAsPattern(text: string): boolean {
  return /[*?]/.test(text);
}

function commandPattern(value: string): Suggested | null {
  const words = value.split(/[ \t\n]+/, MOST_WORDS).filter((word) => word !== "");
  if (words.length === 0) return null;
  if (words.length === 1) return { literal: words.join(" "), ending: "" };
  const action = words.slice(0, arityOf(words));
  // An option among the naming words says nothing of the action: what follows it could be any.
  const isNamed = action.slice(1).every((word) => !word.startsWith("-"));
  return isNamed ? { literal: action.join(" "), ending: " *" } : { literal: value, ending: "" };
}

function serverPattern(value: string): Suggested {
  const colon = value.lastIndexOf(":");
  return colon <= 0
    ? { literal: value, ending: "" }
    : { literal: value.slice(0, colon), ending: ":*" };
}

function folderPattern(value: string): Suggested | null {
  const slash = value.lastIndexOf(value.includes("/") ? "/" : "\\");
  const folder = value.slice(0, Math.max(slash, 0));
  return folder === "" ? null : { literal: folder, ending: "/*" };
}
