/** A part of a page or a file that is made from the source, between its two marks. */
export interface Block {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  readonly name: string;
  readonly text: string;
}

/** The text between a block's marks; undefined when the page lacks them. */
export function shownBlock(page: string, name: string): string | undefined {
  const [begin, end] = marksOf(page, name);
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  return from === -1 || to < from ? undefined : page.slice(from + begin.length, to);
}

/** The page with the text of a block put between its marks. @throws Error when it lacks them. */
export function withBlock(page: string, { page: path, name, text }: Block): string {
  const shown = shownBlock(page, name);
  if (shown === undefined) throw new Error(`${path} has no marks of block ${name}`);
  const [begin, end] = marksOf(page, name);
  return page.split(begin + shown + end).join(begin + text + end);
}

/** A Markdown table. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A text for a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}

/** A text as code in a cell. */
export function code(text: string): string {
  return text === "" ? "" : `\`${cell(text)}\``;
}

/** Marks are comments: those of Markdown, or lines that begin with a hash. */
function marksOf(page: string, name: string): readonly [string, string] {
  const hash = [`# ${name}:begin\n`, `\n# ${name}:end`] as const;
  return page.includes(hash[0]) ? hash : [`<!-- ${name}:begin -->\n`, `\n<!-- ${name}:end -->`];
}
