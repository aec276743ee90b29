const MOST_EDITS = 2;

/** The known name that `name` is a likely slip of, at most two edits away; null when there is none. */
export function closestName(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = MOST_EDITS + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > MOST_EDITS) continue;
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
