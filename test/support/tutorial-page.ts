import { readFileSync } from "node:fs";

/** A step of a tutorial: a mark `<!-- step: KIND WORDS -->`, and the fenced text that follows it at once. */
export interface Step {
  readonly kind: string;
  readonly name: string;
  /** What stands behind the name in the mark. */
  readonly rest: string;
  /** Commands of the fenced text, each with what it prints; one without a command for text alone. */
  readonly parts: readonly Part[];
}

/** A command and what the page says that it prints. */
export interface Part {
  readonly command: string | null;
  readonly output: string;
}

/** Reads the steps of a page, in order. */
export function readSteps(file: string): readonly Step[] {
  const marks = readFileSync(file, "utf8").matchAll(
    /<!-- step: (\w+) ?(\w*) ?(.*?) -->\n(?:```\w+\n([\s\S]*?)\n```)?/g,
  );
  return [...marks].map(([, kind = "", name = "", rest = "", fenced = ""]) => ({
    kind,
    name,
    rest,
    parts: partsOf(fenced),
  }));
}

function partsOf(fenced: string): readonly Part[] {
  const parts: { command: string | null; output: string }[] = [];
  for (const line of fenced.split("\n")) {
    const [, command] = /^\$ (.*)$/.exec(line) ?? [];
    if (command !== undefined) parts.push({ command, output: "" });
    else if (parts.length === 0) parts.push({ command: null, output: line });
    else {
      const last = parts[parts.length - 1] as { output: string };
      last.output += last.output === "" ? line : `\n${line}`;
    }
  }
  return parts;
}

/**
 * Says whether what was printed is what a page shows. `…` stands for any text; ids, times, ports and numbers of more
 * than one digit may differ, and with them how far a column is from the edge.
 */
export function isAsShown(printed: string, shown: string): boolean {
  const pieces = steady(shown).split("…");
  const pattern = pieces.map((piece) => piece.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${pattern.join("[\\s\\S]*")}$`).test(steady(printed));
}

function steady(text: string): string {
  return text
    .replaceAll(/perm-[0-9a-f-]{36}/g, "perm-ID")
    .replaceAll(/\d+(?:\.\d+)? (?:ms|s)\b/g, "# s")
    .replaceAll(/\d[\d:.T-]*\dZ?/g, "#")
    .replaceAll(/ +/g, " ")
    .replaceAll(/^ | $/gm, "")
    .trim();
}
