/**
 * Makes a call of a look that takes its time: a call while one is under way does nothing, and what a look throws goes
 * to `failed`.
 */
export function oneAtATime(
  look: () => Promise<void>,
  failed: (error: unknown) => void,
): () => void {
  let looking = false;
  return () => {
    if (looking) return;
    looking = true;
    look()
      .catch(failed)
      .finally(() => {
        looking = false;
      });
  };
}
