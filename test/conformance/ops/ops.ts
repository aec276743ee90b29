/** Operations of one room by name: shapes of a case in, shapes of a case out. */
export type Ops = Readonly<Record<string, (input: never) => unknown>>;
