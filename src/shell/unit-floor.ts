import { startsCode } from "./code-variables.ts";
import { evaluatesWords } from "./evaluating.ts";
import { INDIRECTION_WRAPPER, OPAQUE_WRAPPER, UNPARSED_SUBTREE } from "./floors.ts";
import type { KnownValues } from "./known-values.ts";
import { namesNoPath, namesOnlyFiles } from "./path-commands.ts";
import { type Assignment, elsewhere, type ShellCommand, type ShellWord } from "./reader.ts";
import type { Word } from "./words.ts";
import { baseName, takesProgram, unwrap } from "./wrappers.ts";

/** The sentinel that keeps an allow of a command from standing; null when it may stand. */
export function floorOf(command: ShellCommand, known: KnownValues): string | null {
  const { words, prefix, redirects } = command;
  const [name] = words;
  if (name === undefined || !isFixed(name)) return UNPARSED_SUBTREE;
  const wrapper = unwrap(expanded(words, known) ?? words) ?? unwrap(elsewhere(words));
  if (wrapper !== null) return wrapper.floor;
  if (takesProgram(words) && (command.piped || redirects.some(({ given }) => given !== null))) {
    return OPAQUE_WRAPPER;
  }
  if ([...prefix, ...exported(words)].some(startsCode)) return INDIRECTION_WRAPPER;
  if (evaluatesWords(words, known)) return UNPARSED_SUBTREE;
  return namesUnknownPath(command, known) ? UNPARSED_SUBTREE : null;
}

/** Says whether a command's name is what is written. */
function isFixed({ literal, syntax, text, elsewhere: other }: ShellWord): boolean {
  if (!literal || other !== null || /^~(?!\/)|[*?]/.test(syntax)) return false;
  if (syntax.includes("[") && text !== "[" && text !== "[[") return false;
  return !/[{}]/.test(syntax);
}

/** The words with the choices of braces put in; null where a word has an unknown number of texts. */
function expanded(words: readonly ShellWord[], known: KnownValues): readonly Word[] | null {
  if (!words.some(({ literal, syntax }) => literal && syntax.includes("{"))) return null;
  return words.flatMap((word): readonly Word[] => {
    const texts = word.literal ? known.textsOf(word) : null;
    if (texts === null) return [word];
    // An empty choice without quotes is no word.
    return texts.filter((text) => text !== "").map((text) => ({ text, literal: true }));
  });
}

/** What a command of the shell sets for all that follow. */
function exported(words: readonly ShellWord[]): readonly Assignment[] {
  if (!/^(?:export|declare|typeset|readonly)$/.test(words[0]?.text ?? "")) return [];
  return words.slice(1).flatMap(({ text, literal: isLiteral, elsewhere: other }) => {
    const literal = isLiteral && other === null;
    const [whole, name] = /^([A-Za-z_]\w*)\+?=/.exec(text) ?? [];
    if (whole === undefined || name === undefined) return [];
    const value = { text: text.slice(whole.length), syntax: "", literal, expansions: [] };
    const word = { ...value, elsewhere: null, start: 0, end: 0 };
    return [{ name, word, numeric: false, from: 0, to: 0 }];
  });
}

/** A path that only the run time knows is one that no gate can judge. */
function namesUnknownPath({ words, redirects }: ShellCommand, known: KnownValues): boolean {
  const targets = redirects.flatMap(({ target }) => (target === null ? [] : [target]));
  if (targets.some((word) => known.textsOf(word) === null)) return true;
  const name = baseName(words[0]?.text ?? "");
  if (namesNoPath(name)) return false;
  const counts = namesOnlyFiles(name) ? () => true : (word: ShellWord) => !isProse(word);
  return words.slice(1).some((word) => counts(word) && known.textsOf(word) === null);
}

/** Text that begins as no path does: a sentence, an address of the web. */
function isProse({ text, literal, expansions }: ShellWord): boolean {
  const [first] = expansions;
  if (literal || first === undefined) return false;
  const before = text.slice(0, first.at);
  return /^[^/~.\-@][^/]* /.test(before) || /^(?!file)[a-z][\w+.-]*:\/\/[^$]/.test(before);
}
