import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

/** A place in a text, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A JSON value that keeps the order of its keys, its repeated keys and where it stands. */
export type JsonTree =
  | {
      readonly kind: "scalar";
      readonly value: unknown;
      readonly written: string;
      readonly at?: Place;
    }
  | { readonly kind: "list"; readonly items: readonly JsonTree[]; readonly at?: Place }
  | { readonly kind: "map"; readonly entries: readonly JsonEntry[]; readonly at?: Place };

/** One key of a map with its value, in the order of the text. */
export interface JsonEntry {
  readonly key: string;
  readonly value: JsonTree;
  readonly at?: Place;
}

/** A fault that keeps a text from being JSON. */
export interface JsonFault {
  readonly message: string;
  readonly at?: Place;
}

/** Either the tree of a text or every fault in it. */
export type JsonReading =
  | { readonly ok: true; readonly tree: JsonTree }
  | { readonly ok: false; readonly faults: readonly JsonFault[] };

const MOST_DEPTH = 64;

/** Faults that are told of one text. */
const MOST_FAULTS = 20;

/** Reads JSON text. Comments are allowed, trailing commas are not; a byte order mark is skipped. Never throws. */
export function readJsonText(text: string): JsonReading {
  const errors: ParseError[] = [];
  const body = text.replace(/^\uFEFF/, "");
  if (nestingOf(body) > MOST_DEPTH) return tooDeep;
  const root = parseTree(body, errors, { disallowComments: false, allowTrailingComma: false });
  const place = placeFinder(body);
  if (root === undefined && errors.length === 0) {
    return { ok: false, faults: [{ message: "is empty; it must hold a JSON object" }] };
  }
  if (root === undefined || errors.length > 0) {
    return {
      ok: false,
      faults: errors.slice(0, MOST_FAULTS).map((error) => ({
        message: `is not JSON: ${wordsOf(printParseErrorCode(error.error))}`,
        at: place(error.offset),
      })),
    };
  }
  return { ok: true, tree: treeOfNode(root, body, place) };
}

/** Takes a value that was parsed elsewhere as a tree. Never throws. */
export function readJsonValue(value: unknown): JsonReading {
  const tree = treeOfValue(value, 0);
  return tree === null ? tooDeep : { ok: true, tree };
}

const tooDeep: JsonReading = {
  ok: false,
  faults: [{ message: `is nested more than ${MOST_DEPTH} levels deep` }],
};

/** The plain value of a tree; of repeated keys the last counts, `__proto__` is a key like any other. */
export function plainOf(tree: JsonTree): unknown {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "list") return tree.items.map(plainOf);
  const plain = {};
  for (const { key, value } of tree.entries) {
    Object.defineProperty(plain, key, {
      value: plainOf(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return plain;
}

function treeOfNode(node: Node, text: string, place: (offset: number) => Place): JsonTree {
  const at = place(node.offset);
  if (node.type === "array") {
    const items = (node.children ?? []).map((child) => treeOfNode(child, text, place));
    return { kind: "list", items, at };
  }
  if (node.type === "object") {
    const entries = (node.children ?? []).flatMap(({ children = [] }) => {
      const [key, value] = children;
      if (key === undefined || value === undefined) return [];
      return [
        {
          key: String(key.value),
          value: treeOfNode(value, text, place),
          at: place(key.offset),
        },
      ];
    });
    return { kind: "map", entries, at };
  }
  const written = text.slice(node.offset, node.offset + node.length);
  return { kind: "scalar", value: node.value as unknown, written, at };
}

function treeOfValue(value: unknown, depth: number): JsonTree | null {
  if (depth > MOST_DEPTH) return null;
  if (typeof value !== "object" || value === null) {
    return { kind: "scalar", value, written: writtenOf(value) };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => treeOfValue(item, depth + 1));
    return items.includes(null) ? null : { kind: "list", items: items as JsonTree[] };
  }
  const entries: JsonEntry[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const tree = treeOfValue(item, depth + 1);
    if (tree === null) return null;
    entries.push({ key, value: tree });
  }
  return { kind: "map", entries };
}

function writtenOf(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/**
 * Deepest nesting that a parser may come to, found before one that recurses is let in. Read by its own scanner, so that
 * texts and comments end where they do for it; a bracket that closes nothing opens no way up, for it goes on below.
 */
function nestingOf(text: string): number {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  let deepest = 0;
  for (let at = next(scanner); at < text.length; at = next(scanner)) {
    const sign = text.charAt(at);
    if (sign === "[" || sign === "{") deepest = Math.max(deepest, open.push(sign));
    else if (sign === "]" || sign === "}") {
      if (open.at(-1) === OPENS[sign]) open.pop();
    }
  }
  return deepest;
}

const OPENS = { "]": "[", "}": "{" } as const;

function next(scanner: ReturnType<typeof createScanner>): number {
  scanner.scan();
  return scanner.getTokenOffset();
}

function placeFinder(text: string): (offset: number) => Place {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
}
