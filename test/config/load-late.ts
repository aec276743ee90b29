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

/** Modules that hold only functions for others and build schemas first when they are loaded. */
const LATE_MODULES =
  /\/dist\/(?:wire\/(?:ask|dec|messages)|config\/read-(?:value-option|maps))\.js$/;

const LIBRARIES = /\/node_modules\/(?:commander|@nats-io)\//;
const IMPORT = /^import \{([^}]+)\} from "(\.{1,2}\/[^"]+)";$/gm;
const VIRTUAL = "\0late:";
const REQUIRED = "\0required:";

/**
 * Loads what a start does not need with its first use: the bundle holds it all the same, and each function is
 * called as before. Without it every command would build the schemas of all messages and options first.
 */
export function loadLate(): Plugin {
  return {
    name: "load-late",
    resolveId(source, importer, { kind }) {
      if (importer === undefined || !importer.includes("/node_modules/")) return null;
      if (LIBRARIES.test(importer) && source in LATE_BUILTINS) return `${VIRTUAL}${source}`;
      // The bundler's own way to require a part of Node loads another module system first.
      return kind === "require-call" && isBuiltin(source) ? `${REQUIRED}${source}` : null;
    },
    load(id) {
      if (!id.startsWith(REQUIRED)) return LATE_BUILTINS[id.slice(VIRTUAL.length)] ?? null;
      const name = JSON.stringify(id.slice(REQUIRED.length));
      return `module.exports = process.getBuiltinModule(${name});`;
    },
    transform(code, id) {
      if (!id.includes("/dist/") || LATE_MODULES.test(id)) return null;
      const isLate = (source: string): boolean =>
        LATE_MODULES.test(new URL(source, `file://${id}`).pathname);
      const changed = code.replaceAll(IMPORT, (whole, names: string, source: string) =>
        isLate(source) ? lateImport(names, source) : whole,
      );
      return changed === code ? null : changed;
    },
  };
}

function lateImport(names: string, source: string): string {
  const functions = names.split(",").map((name) => {
    const [imported = "", local = imported] = name.trim().split(" as ");
    return `const ${local} = (...all) => require("${source}").${imported}(...all);`;
  });
  return functions.join(" ");
}
