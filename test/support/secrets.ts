/** A secret that is read again each time: `values` in order, the last one for good; null cannot be read. */
export function changingSecret(values: readonly (string | null)[]): () => string {
  let reads = 0;
  return () => {
    const value = values[Math.min(reads, values.length - 1)] ?? null;
    reads += 1;
    if (value === null) throw new Error("the secret is gone");
    return value;
  };
}
