import { isShellLoaded } from "./load-shell.ts";

/** Most answers kept of one function, and the longest text whose answer is kept, in UTF-16 units. */
const MAX_KEPT = 256;
const MAX_LENGTH = 4096;

/**
 * Keeps the last answers of a function of a text: gates and rules ask for the same text many times. What
 * `isLasting` denies is asked for anew, for it may have been for want of time.
 */
export function remembered<Answer>(
  answer: (text: string) => Answer,
  isLasting: (given: Answer) => boolean = () => true,
): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  const order: string[] = [];
  let next = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const fresh = answer(text);
    if (text.length > MAX_LENGTH || !isLasting(fresh)) return fresh;
    const oldest = order[next];
    if (oldest !== undefined) kept.delete(oldest);
    order[next] = text;
    next = (next + 1) % MAX_KEPT;
    kept.set(text, fresh);
    return fresh;
  };
}

/** The same for a function that says something else once the grammar is there. */
export function rememberedByGrammar<Answer>(
  answer: (text: string) => Answer,
  isLasting?: (given: Answer) => boolean,
): (text: string) => Answer {
  const before = remembered(answer, isLasting);
  const after = remembered(answer, isLasting);
  return (text) => (isShellLoaded() ? after(text) : before(text));
}
