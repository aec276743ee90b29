import { isOverBudget, UNPARSEABLE_COMMAND, UNPARSED_SUBTREE } from "./floors.ts";
import { isShellLoaded, parseCommands } from "./load-shell.ts";
import { readShell } from "./read-shell.ts";
import type { Found, ShellCommand } from "./reader.ts";
import { rememberedByGrammar } from "./remembered.ts";

/** What a text means, or the floor of the whole where that is not certain. */
export type Understanding = Found | typeof UNPARSEABLE_COMMAND | typeof UNPARSED_SUBTREE;

const SIMPLE_QUOTES = /'[^']*'|"[^"$`\\!]*"/g;
const JOINTS = /&&|\|\||;/g;

/** What makes a text more than words, quotes around them and commands in a row. */
const NOT_PLAIN = /[&<>()$`\\"'{}#!]|[^\S \t\n]/;

/**
 * Understands a text by two readers that know nothing of each other: a strict one of our own and the
 * grammar. Only where both find the same commands at the same places is either believed. Texts too plain to be
 * read in two ways need no grammar.
 */
export function understand(text: string): Understanding {
  return rememberedUnderstanding(text);
}

const rememberedUnderstanding = rememberedByGrammar(
  understandNow,
  (understood) => understood !== UNPARSEABLE_COMMAND,
);

function understandNow(text: string): Understanding {
  if (isOverBudget(text)) return UNPARSEABLE_COMMAND;
  const found = readShell(text);
  if (found === null) return UNPARSED_SUBTREE;
  if (isPlain(text)) return found;
  const starts = parseCommands(text);
  if (starts === "late") return UNPARSEABLE_COMMAND;
  return starts !== "unclear" && agrees(found, starts) ? found : UNPARSED_SUBTREE;
}

/** Says whether a text is taken apart better once the grammar is loaded, which it is not yet. */
export function needsGrammar(text: string): boolean {
  return !isShellLoaded() && !isPlain(text);
}

function isPlain(text: string): boolean {
  return !NOT_PLAIN.test(text.replace(SIMPLE_QUOTES, "").replace(JOINTS, ""));
}

function agrees({ commands }: Found, starts: readonly number[]): boolean {
  return commands.length === starts.length && commands.every(({ start }, i) => start === starts[i]);
}

/** A command as written, with the texts of its here-documents behind it, wherever they stand. */
export function textOf({ start, end, redirects }: ShellCommand, source: string): string {
  if (redirects.length === 0) return source.slice(start, end);
  const documents = redirects.flatMap(({ given }) =>
    given !== null && given.start >= end ? [source.slice(given.start, given.end)] : [],
  );
  return [source.slice(start, end), ...documents].join("\n");
}
