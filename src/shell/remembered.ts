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
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const fresh = answer(text);
    if (text.length > MAX_LENGTH || !isLasting(fresh)) return fresh;
    const [oldest] = kept.size >= MAX_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(text, fresh);
    return fresh;
  };
}
