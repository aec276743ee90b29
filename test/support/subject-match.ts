/** Says whether a subscription to `filter` receives a message on `subject`. */
export function matches(filter: string, subject: string): boolean {
  return covers(filter.split("."), subject.split("."));
}

/** Says whether everything `inner` can match is matched by `outer`. */
export function includes(outer: string, inner: string): boolean {
  return covers(outer.split("."), inner.split("."));
}

function covers(outer: readonly string[], inner: readonly string[]): boolean {
  for (const [place, token] of outer.entries()) {
    const other = inner[place];
    if (other === undefined) return false;
    if (token === ">") return true;
    if (other === ">" || (token !== "*" && token !== other)) return false;
  }
  return outer.length === inner.length;
}
