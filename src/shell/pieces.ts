const OPERATORS = new Set([";", "&", "|", "(", ")", "<", ">", "\n", "\r"]);

/** Constructs that a scanner of quotes alone can misread. */
const MISLEADING = /#|<<|\$'|\$"/;

/** Most pieces of one reading; a text of more is never allowed. */
const MAX_PIECES = 4000;

/** A part of a command's text between two operators. */
export interface Piece {
  readonly text: string;
  /** Whether it begins with the target of a redirect, which may have a command behind it. */
  readonly redirected: boolean;
  /** Whether that redirect writes. */
  readonly writes: boolean;
}

/**
 * Cuts a text at the shell's operators and substitutions. Operators in quotes do not cut, unless the text
 * holds what could mislead about quotes: then pieces of both readings come.
 */
export function cutAtOperators(text: string): readonly Piece[] {
  const careful = cutOutsideQuotes(text);
  const blind = !careful.balanced || MISLEADING.test(text) ? cutEverywhere(text) : [];
  return [...careful.pieces, ...blind].filter((piece) => piece.text !== "");
}

/** Cuts without a look at quotes, with lines continued and not. */
function cutEverywhere(text: string): readonly Piece[] {
  const continued = text.replace(/\\\r?\n/g, "");
  return continued === text ? cutBlindly(text) : [...cutBlindly(text), ...cutBlindly(continued)];
}

function cutBlindly(text: string): readonly Piece[] {
  const parts = text.split(/(\$\(|[<>]&|&>|[;&|()<>\n\r`])/, 2 * MAX_PIECES);
  return parts.flatMap((part, i) => (i % 2 === 0 ? [pieceOf(part, parts[i - 1] ?? "")] : []));
}

type Mode = "plain" | "double" | "bracket" | "backtick";

interface Scan {
  readonly text: string;
  readonly pieces: Piece[];
  readonly modes: Mode[];
  start: number;
  at: number;
}

function cutOutsideQuotes(text: string): { pieces: readonly Piece[]; balanced: boolean } {
  const scan: Scan = { text, pieces: [], modes: ["plain"], start: 0, at: 0 };
  let closed = true;
  while (scan.at < text.length && scan.pieces.length < MAX_PIECES) closed = step(scan) && closed;
  cut(scan, 0);
  return { pieces: scan.pieces, balanced: closed && scan.modes.length === 1 };
}

function step(scan: Scan): boolean {
  const { text, at } = scan;
  const character = text.charAt(at);
  const mode = scan.modes.at(-1);
  if (character === "\\") {
    scan.at += 2;
    return true;
  }
  if (character === "`") toggle(scan, "backtick", true);
  else if (character === '"') toggle(scan, "double", false);
  else if (character === "$" && text.charAt(at + 1) === "(") {
    cut(scan, 2);
    scan.modes.push("bracket");
  } else if (mode === "double") scan.at += 1;
  else if (character === "'") return skipSingle(scan);
  else if (OPERATORS.has(character)) {
    if (character === "(") scan.modes.push("bracket");
    if (character === ")" && mode === "bracket") scan.modes.pop();
    cut(scan, 1);
  } else scan.at += 1;
  return true;
}

function toggle(scan: Scan, mode: Mode, cuts: boolean): void {
  if (scan.modes.at(-1) === mode) scan.modes.pop();
  else scan.modes.push(mode);
  if (cuts) cut(scan, 1);
  else scan.at += 1;
}

function skipSingle(scan: Scan): boolean {
  const close = scan.text.indexOf("'", scan.at + 1);
  scan.at = close < 0 ? scan.text.length : close + 1;
  return close >= 0;
}

function cut(scan: Scan, width: number): void {
  const before = scan.text.charAt(scan.start - 1);
  scan.pieces.push(pieceOf(scan.text.slice(scan.start, scan.at), before));
  scan.at += width;
  scan.start = scan.at;
}

function pieceOf(text: string, operator: string): Piece {
  const writes = operator.includes(">");
  return { text: text.trim(), redirected: writes || operator.includes("<"), writes };
}
