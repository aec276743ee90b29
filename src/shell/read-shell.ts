import { readSimple } from "./read-command.ts";
import { readList } from "./read-list.ts";
import { readPlain } from "./read-plain.ts";
import { skipLines } from "./read-redirect.ts";
import { type Found, isUnclear, MAX_DEPTH, type Reader } from "./reader.ts";
import { remembered } from "./remembered.ts";

/** Control characters that no shell reads as text, or each in its own way. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** Where a command may begin in a text that is not understood as a whole. */
const STARTS = /\$\(|[;&|(){}\n\r`"']|(?<![\w-])(?:then|do|else|!)(?=\s)/g;

/** Most places in one text at which a command is looked for, and how far behind each, in UTF-16 units. */
const MAX_STARTS = 256;
const MAX_AHEAD = 2048;

/** How much deeper nesting is followed there. */
const MAX_DEEPER = 8;

/**
 * Reads a command text by the grammar that shells share, strictly: null as soon as anything in it is not
 * understood, is read differently by shells, or is nested without end.
 */
export function readShell(text: string): Found | null {
  return rememberedReading(text);
}

const rememberedReading = remembered(read);

function read(text: string): Found | null {
  return readPlain(text) ?? readStrictly(text);
}

/** Reads a text as {@link readShell} does, however plain it is. */
export function readStrictly(text: string): Found | null {
  if (CONTROL.test(text)) return null;
  const reader = readerOf(text, 0, text.length);
  const isRead = reads(() => {
    readList(reader, {});
  });
  if (!isRead || reader.pending.length > 0) return null;
  reader.found.commands.sort((a, b) => a.start - b.start);
  return reader.found;
}

/** Reads one command at every place of a text where one may begin, however the rest is to be read. */
export function readAnywhere(text: string): readonly Found[] {
  const starts = [0];
  for (const { index, 0: opening } of text.matchAll(STARTS)) {
    if (starts.length >= MAX_STARTS) break;
    starts.push(index + opening.length);
  }
  return starts.flatMap((start) => {
    const reader = readerOf(text, start, Math.min(text.length, start + MAX_AHEAD));
    reader.depth = MAX_DEPTH - MAX_DEEPER;
    const isRead = reads(() => {
      skipLines(reader);
      readSimple(reader, false);
    });
    return isRead ? [reader.found] : [];
  });
}

function reads(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (thrown) {
    if (isUnclear(thrown) || thrown instanceof RangeError) return false;
    throw thrown;
  }
}

function readerOf(source: string, at: number, end: number): Reader {
  const found: Found = {
    source,
    commands: [],
    assignments: [],
    redirects: [],
    words: [],
    calculated: new Set(),
    hazard: false,
    runs: false,
  };
  const start = { source, end, at, depth: 0, context: null };
  return { ...start, found, pending: [], list: readList };
}
