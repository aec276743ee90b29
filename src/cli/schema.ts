import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";

const ENDING = ".schema.json";

/** Prints the schema of that name, or the names of all when none is given. */
export function runSchema(name: string | undefined, io: Pick<Io, "write">): number {
  const folder = fileURLToPath(new URL("../../schemas", import.meta.url));
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length).replaceAll("\\", "/"))
    .sort();
  if (name === undefined) io.write(`${names.join("\n")}\n`);
  else if (names.includes(name)) io.write(readFileSync(join(folder, `${name}${ENDING}`), "utf8"));
  else {
    throw new CommandError(
      `no schema is named ${JSON.stringify(name)}; "askfabric schema" lists the names`,
    );
  }
  return EXIT.ok;
}
