import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import type { Row } from "./row.ts";

/** What the command line asks for. */
export interface Flags {
  readonly json: boolean;
  readonly quick: boolean;
  /** The folder on whose disk journals are written. */
  readonly folder: string;
  readonly rows: readonly Row[];
}

/**
 * Reads the command line.
 *
 * @throws TypeError naming a flag that is unknown, RangeError naming a row that is.
 */
export function readFlags(args: readonly string[], all: readonly Row[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      folder: { type: "string", default: tmpdir() },
    },
  });
  const { json, quick, folder, only } = values;
  const unknown = (only ?? []).filter((name) => !all.some((row) => row.name === name));
  if (unknown.length > 0) {
    const known = all.map((row) => row.name).join(", ");
    throw new RangeError(`--only names ${unknown.join(", ")}; the rows are ${known}`);
  }
  const rows = only === undefined ? all : all.filter((row) => only.includes(row.name));
  return { json, quick, folder, rows };
}
