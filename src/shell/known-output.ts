import type { Expansion, Found, ShellCommand, ShellWord } from "./reader.ts";

/** Commands that write one plain name, number or date. */
const PLAIN_OUTPUT = new Set(["date", "nproc", "whoami", "hostname", "uname", "id", "uuidgen"]);

const PLAIN_GIT = new Set(["rev-parse", "merge-base", "describe"]);

/** What a substitution writes, where its one command tells. */
export function outputOf(
  { at, length }: Expansion,
  word: ShellWord,
  found: Found,
): readonly string[] | null {
  const text = word.text.slice(at, at + length);
  if (/^[<>]\(/.test(text)) return at === 0 ? ["pipe"] : null;
  if (!text.startsWith("$(")) return null;
  const inside = found.commands.filter(({ start, end }) => word.start < start && end < word.end);
  const own = inside.filter((one) => text.includes(found.source.slice(one.start, one.end)));
  const [only] = own;
  return only === undefined || own.length > 1 || inside.length > 1 ? null : writtenBy(only);
}

function writtenBy(command: ShellCommand): readonly string[] | null {
  const { words, redirects, prefix } = command;
  const [first, second] = words;
  if (first === undefined || prefix.length > 0 || !words.every(({ literal }) => literal)) {
    return null;
  }
  if (first.text === "cat") return givenTo(command);
  if (redirects.some(({ target }) => target !== null && target.text !== "/dev/null")) return null;
  if (first.text === "pwd") return ["."];
  return writesName(first.text, second?.text ?? "", words) ? ["name"] : null;
}

function givenTo({ words, redirects }: ShellCommand): readonly string[] | null {
  const [redirect, other] = redirects;
  if (words.length > 1 || other !== undefined || redirect?.given?.literal !== true) return null;
  return [redirect.given.text.replace(/\n+$/, "")];
}

function writesName(name: string, action: string, words: readonly ShellWord[]): boolean {
  if (PLAIN_OUTPUT.has(name)) return true;
  if (name !== "git" || !PLAIN_GIT.has(action)) return false;
  return !words.some(({ text }) => /^--(?:show|git|absolute)/.test(text));
}
