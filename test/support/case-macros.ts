/** Says whether a value is an object with keys, no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

const MACROS: Readonly<Record<string, (argument: unknown) => unknown>> = {
  $repeat: (argument) => {
    const [text, count] = argument as readonly [string, number];
    return text.repeat(count);
  },
  $join: (argument) => (argument as readonly unknown[]).map(expandMacros).join(""),
  $fill: (argument) => {
    const { of, count } = argument as { readonly of: unknown; readonly count: number };
    return Array.from({ length: count }, () => expandMacros(of));
  },
  $nest: (argument) => {
    const { key, depth, leaf } = argument as {
      readonly key: string | null;
      readonly depth: number;
      readonly leaf: unknown;
    };
    let value = expandMacros(leaf);
    for (let i = 0; i < depth; i += 1) {
      value = key === null ? [value] : Object.fromEntries([[key, value]]);
    }
    return value;
  },
};

/** Writes out the macros that keep large values of a conformance case short. */
export function expandMacros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandMacros);
  if (!isRecord(value)) return value;
  const [key = "", other] = Object.keys(value);
  const macro = other === undefined && Object.hasOwn(MACROS, key) ? MACROS[key] : undefined;
  if (macro !== undefined) return macro(value[key]);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expandMacros(one)]));
}
