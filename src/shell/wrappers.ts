import { INDIRECTION_WRAPPER, OPAQUE_WRAPPER } from "./floors.ts";
import type { Word } from "./words.ts";
import { TEXT_FINDERS } from "./wrapped-text.ts";
import type { Wrapper } from "./wrapper.ts";
import { FINDS, INDIRECTIONS, INTERPRETERS, SHELLS, type Shape } from "./wrapper-shapes.ts";

/** The last part of a command's path. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** Says whether a word before a command sets a variable. */
export function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word);
}

/** Recognises a wrapper by its first word, assignments before it left out; null for any other command. */
export function unwrap(words: readonly Word[]): Wrapper | null {
  const [first, ...rest] = words;
  if (first === undefined) return null;
  const name = baseName(first.text);
  const shape = INDIRECTIONS.get(name);
  if (shape !== undefined) return unwrapIndirection(shape, rest);
  const actions = FINDS.get(name);
  if (actions !== undefined) return unwrapFind(actions, rest);
  if (name === "eval") return opaque(rest);
  const finder = TEXT_FINDERS.get(name);
  if (finder !== undefined) return finder(rest);
  if (SHELLS.has(name)) return unwrapShell(rest);
  return runsProgramText(name, rest) ? { floor: OPAQUE_WRAPPER, commands: [], text: null } : null;
}

/** Says whether a shell or an interpreter has no file among its words, so that it runs what it is given. */
export function takesProgram(words: readonly Word[]): boolean {
  const [first, ...rest] = words;
  const name = baseName(first?.text ?? "");
  const isSource = name === "source" || name === ".";
  const isShell = SHELLS.has(name) || INTERPRETERS.some(({ names }) => names.test(name));
  if (!isShell && !isSource) return false;
  if (SHELLS.has(name) && rest.some(({ text }) => /^-[a-z]*s/.test(text))) return true;
  const operand = rest.find(({ text }) => !/^[-+]./.test(text))?.text ?? "-";
  return operand === "-" || /^\/(?:dev|proc\/self)\/(?:stdin|fd\/)/.test(operand);
}

function runsProgramText(name: string, words: readonly Word[]): boolean {
  const interpreter = INTERPRETERS.find(({ names }) => names.test(name));
  if (interpreter === undefined) return false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]?.text ?? "";
    if (interpreter.program.test(word)) return true;
    if (!word.startsWith("-")) return false;
    if (interpreter.valued.includes(word)) at += 1;
  }
  return false;
}

function opaque(words: readonly Word[]): Wrapper {
  const literal = words.length > 0 && words.every((word) => word.literal);
  const text = literal ? words.map((word) => word.text).join(" ") : null;
  return { floor: OPAQUE_WRAPPER, commands: [], text };
}

function unwrapShell(words: readonly Word[]): Wrapper | null {
  let at = 0;
  let takesText = false;
  while (/^[-+]/.test(words[at]?.text ?? "")) {
    const option = words[at]?.text ?? "";
    at += 1;
    if (option === "--") break;
    if (/^-[A-Za-z]*c/.test(option)) takesText = true;
    if (/^[-+][A-Za-z]*[oO]$/.test(option) || /^--(?:rcfile|init-file)$/.test(option)) at += 1;
  }
  if (!takesText) return null;
  return opaque(words.slice(at, at + 1));
}

function unwrapFind(actions: readonly string[], words: readonly Word[]): Wrapper | null {
  const commands: Word[][] = [];
  let command: Word[] | null = null;
  for (const word of words) {
    if (command === null && actions.includes(word.text)) {
      command = [];
      commands.push(command);
    } else if (word.text === ";" || word.text === "+") command = null;
    else command?.push(word);
  }
  return commands.length > 0 ? { floor: INDIRECTION_WRAPPER, commands, text: null } : null;
}

function unwrapIndirection(shape: Shape, words: readonly Word[]): Wrapper | null {
  let start = behindOptions(shape, words, 0);
  for (let i = 0; i < (shape.operands ?? 0); i += 1) start = behindOptions(shape, words, start + 1);
  const own = words.slice(0, start);
  if (own.some((word) => shape.inert?.includes(word.text))) return null;
  const at = own.findIndex((word) => textIn(shape, word) !== null);
  if (at >= 0) return texted([textIn(shape, words[at]) ?? [], words.slice(at + 1)].flat());
  const rest = words.slice(start);
  return shape.joins === true ? texted(rest) : inside(rest);
}

function behindOptions(shape: Shape, words: readonly Word[], from: number): number {
  let at = from;
  while (at < words.length) {
    const word = words[at]?.text ?? "";
    if (word === "--") return at + 1;
    if (word.startsWith("-")) at += takesNext(shape, word) ? 2 : 1;
    else if (shape.assignments === true && isAssignment(word)) at += 1;
    else break;
  }
  return Math.min(at, words.length);
}

function takesNext(shape: Shape, word: string): boolean {
  const valued = shape.valued ?? [];
  if (valued.includes(word)) return true;
  const last = `-${word.at(-1) ?? ""}`;
  return (
    /^-[A-Za-z]{2,}$/.test(word) && valued.includes(last) && !valued.includes(word.slice(0, 2))
  );
}

/** What an option gives of a command's text in its own word; null when it is no such option. */
function textIn(shape: Shape, word: Word | undefined): readonly Word[] | null {
  if (word === undefined) return null;
  for (const option of shape.texts ?? []) {
    if (word.text === option) return [];
    const attached = option.startsWith("--") ? `${option}=` : option;
    if (!word.text.startsWith(attached)) continue;
    return [{ text: word.text.slice(attached.length), literal: word.literal }];
  }
  return null;
}

function texted(words: readonly Word[]): Wrapper {
  return { ...opaque(words), floor: INDIRECTION_WRAPPER };
}

function inside(words: readonly Word[]): Wrapper {
  return { floor: INDIRECTION_WRAPPER, commands: words.length > 0 ? [words] : [], text: null };
}
