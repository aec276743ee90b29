import { isBuiltin } from "node:module";
import type { Plugin } from "rolldown";

const late = (name: string, one: string): string =>
  `const ${one} = (...all) => process.getBuiltinModule("${name}").${one}(...all);`;

/**
 * Parts of Node that a start pays for dearly and that the libraries in the bundle hardly ever use: what they use
 * of them, loaded with the first call. A socket is of TLS exactly when it is marked `encrypted`, as Node documents.
 */
const LATE_BUILTINS: Readonly<Record<string, string>> = {
  "node:tls": `export ${late("node:tls", "connect")}
    export const TLSSocket = { [Symbol.hasInstance]: (socket) => socket?.encrypted === true };`,
  "node:dns": `${late("node:dns", "lookup")} export default { lookup };`,
  "node:child_process": `${late("node:child_process", "spawn")} export default { spawn };`,
  "node:util": `export ${late("node:util", "stripVTControlCharacters")}`,
  "node:process": "export default globalThis.process;",
};

/** Parts of Node whose functions our own modules load with their first call. */
const LATE_FUNCTIONS: readonly string[] = ["node:fs/promises", "node:child_process"];

/** Random bytes of the client library, from the part of Node that has them and is loaded already. */
const RANDOM = "globalThis.crypto.getRandomValues(a)";
const LOADED_RANDOM = 'process.getBuiltinModule("node:crypto").randomFillSync(a)';

/** Modules that hold only functions for others and build schemas first when they are loaded. */
const LATE_MODULES =
  /\/dist\/(?:wire\/(?:ask|control|control-schemas|dec|messages)|config\/(?:pins-schema|read-(?:value-option|maps)))\.js$/;

const LIBRARIES = /\/node_modules\/(?:commander|@nats-io)\//;
const IMPORT = /^import \{([^}]+)\} from "(\.{1,2}\/[^"]+)";$/gm;
const DYNAMIC = /\bimport\("(\.{1,2}\/[^"]+)"\)/g;
const VIRTUAL = "\0late:";
const REQUIRED = "\0required:";
const BUILTIN = "\0builtin:";

/**
 * Loads what a start does not need with its first use: the bundle holds it all the same, and each function is
 * called as before. Without it every command would build the schemas of all messages and options first.
 *
 * @param together - Modules that stand in one file: what imports them later need not look for a file.
 */
export function loadLate(together: RegExp): Plugin {
  return {
    name: "load-late",
    resolveId(source, importer, { kind }) {
      if (importer === undefined || importer.startsWith("\0") || !isBuiltin(source)) return null;
      if (LIBRARIES.test(importer) && source in LATE_BUILTINS) return `${VIRTUAL}${source}`;
      // The bundler's own way to require a part of Node loads another module system first.
      if (kind === "require-call") return `${REQUIRED}${source}`;
      return kind === "import-statement" ? `${BUILTIN}${source}` : null;
    },
    load(id) {
      if (id.startsWith(BUILTIN)) return builtinModule(id.slice(BUILTIN.length));
      if (!id.startsWith(REQUIRED)) return LATE_BUILTINS[id.slice(VIRTUAL.length)] ?? null;
      const name = JSON.stringify(id.slice(REQUIRED.length));
      return `module.exports = process.getBuiltinModule(${name});`;
    },
    transform(code, id) {
      if (id.endsWith("/@nats-io/nuid/lib/nuid.js")) {
        if (!code.includes(RANDOM)) throw new Error(`${id} gets its random bytes in another way`);
        const loaded = code.replace("globalThis?.crypto?.getRandomValues", "true");
        return loaded.replace(RANDOM, LOADED_RANDOM);
      }
      if (!id.includes("/dist/") || LATE_MODULES.test(id)) return null;
      const is = (modules: RegExp, source: string): boolean =>
        modules.test(new URL(source, `file://${id}`).pathname);
      const changed = code
        .replaceAll(IMPORT, (whole, names: string, source: string) =>
          is(LATE_MODULES, source) ? lateImport(names, source) : whole,
        )
        .replaceAll(DYNAMIC, (whole, source: string) =>
          is(together, source) ? `require("${source}")` : whole,
        );
      return changed === code ? null : changed;
    },
  };
}

/**
 * A part of Node without the form in which modules import it: that one reads each of its names, and some of them
 * load further parts. A Node that lacks the call is told so by the entry.
 */
function builtinModule(name: string): string {
  const exported = Object.entries(process.getBuiltinModule(name) ?? {});
  if (LATE_FUNCTIONS.includes(name)) {
    const functions = exported.filter(([, value]) => typeof value === "function");
    return functions.map(([one]) => `export ${late(name, one)}`).join("\n");
  }
  return [
    `const builtin = process.getBuiltinModule?.("${name}") ?? {};`,
    "export default builtin;",
    ...exported.map(([one]) => `export const ${one} = builtin.${one};`),
  ].join("\n");
}

function lateImport(names: string, source: string): string {
  const listed = names.split(",").map((name) => name.trim());
  // A list over several lines ends with a comma.
  const functions = listed.filter(Boolean).map((name) => {
    const [imported = "", local = imported] = name.split(" as ");
    return `const ${local} = (...all) => require("${source}").${imported}(...all);`;
  });
  return functions.join(" ");
}
