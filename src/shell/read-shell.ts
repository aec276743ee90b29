import { readList } from "./read-list.ts";
import { type Found, isUnclear, type Reader } from "./reader.ts";

/** Control characters that no shell reads as text, or each in its own way. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/**
 * Reads a command text by the grammar that shells share, strictly: null as soon as anything in it is not
 * understood, is read differently by shells, or is nested without end.
 */
export function readShell(text: string): Found | null {
  if (CONTROL.test(text)) return null;
  const found: Found = {
    source: text,
    commands: [],
    assignments: [],
    redirects: [],
    words: [],
    calculated: new Set(),
    hazard: false,
    runs: false,
  };
  const reader: Reader = {
    source: text,
    end: text.length,
    at: 0,
    depth: 0,
    context: null,
    found,
    pending: [],
    list: readList,
  };
  try {
    readList(reader, {});
  } catch (thrown) {
    if (isUnclear(thrown) || thrown instanceof RangeError) return null;
    throw thrown;
  }
  if (reader.pending.length > 0) return null;
  found.commands.sort((a, b) => a.start - b.start);
  return found;
}
