/**
 * Says whether an object in a JSON text has a key twice, however it is escaped. Readers differ in which of the two
 * they take, so that what one judges would not be what another one runs. Takes text that is JSON; time linear in it.
 */
export function repeatsKey(json: string): boolean {
  /** The keys of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charAt(at);
    if (sign === '"') {
      const end = endOfText(json, at);
      const keys = open.at(-1);
      if (isKeyNext && keys && !isNew(keys, json.slice(at, end))) return true;
      isKeyNext = false;
      at = end - 1;
    } else if (sign === "{") {
      open.push(new Set());
      isKeyNext = true;
    } else if (sign === "[") open.push(null);
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign === ",") isKeyNext = open.at(-1) !== null;
  }
  return false;
}

function isNew(keys: Set<string>, written: string): boolean {
  const key = written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);
  const size = keys.size;
  return keys.add(key).size > size;
}

/** Behind the quote that ends the text which begins at `start`. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}
