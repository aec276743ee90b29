/** So many at a time, the others in order of arrival. */
export interface Slots {
  /** Runs `work` when there is room. Rejects with the signal's reason when it is aborted before that. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes `count` slots. */
export function openSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(enterNow);
        reject(signal.reason instanceof Error ? signal.reason : new Error("it was taken back"));
      };
      const enterNow = (): void => {
        waiting.delete(enterNow);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(enterNow);
      signal.addEventListener("abort", leave, { once: true });
    });
  };
  return {
    run: async (signal, work) => {
      await enter(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
