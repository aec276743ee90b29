import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import { loadLate } from "./load-late.ts";

/** What `ask` loads one after the other: with all that it imports it stands in one file, whose compiled code is kept. */
const ASKING =
  /\/dist\/(?:cli\/(?:run-process|ask|prepare|ship-records)|bus\/(?:connect|bus-error|outbox-pump)|journal\/open-outbox)\.js$/;

const EVERY: RolldownOptions = {
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  treeshake: { propertyReadSideEffects: false },
};
const OUTPUT = { dir: "dist/program", minify: true, comments: { legal: true } } as const;

/**
 * Puts the programs and what they import into few files: reading and compiling hundreds of small ones would take
 * most of the time that a one-shot command runs. The library stays as the compiler writes it.
 */
export default defineConfig([
  {
    ...EVERY,
    input: {
      main: "dist/cli/main.js",
      "module-thread": "dist/chain/module-thread.js",
      guard: "dist/chain/guard.js",
    },
    // The entry loads the file below in its stead.
    external: /\/run-process\.js$/,
    plugins: [loadLate(ASKING)],
    output: { ...OUTPUT, format: "esm" },
  },
  {
    ...EVERY,
    input: { program: "dist/cli/run-process.js" },
    plugins: [loadLate(ASKING), ascii(), licences()],
    output: {
      ...OUTPUT,
      format: "cjs",
      entryFileNames: "[name].cjs",
      // The program is started by the name of its function.
      minifyInternalExports: false,
      chunkFileNames: ({ name }) => (name === "kept" ? "kept.cjs" : "[name]-[hash].cjs"),
      codeSplitting: {
        groups: [
          { name: "kept", test: ASKING },
          { name: "kept", test: /rolldown\/runtime/ },
        ],
      },
    },
  },
]);

/** Writes what is not ASCII as escapes: one such character would double what the engine keeps and reads of a file. */
function ascii(): Plugin {
  return {
    name: "ascii",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        file.code = file.code.replaceAll(/[^\0-\x7f]/g, (unit) => {
          const code = unit.charCodeAt(0).toString(16);
          return `\\u${code.padStart(4, "0")}`;
        });
      }
    },
  };
}

/** Writes down the licences of what went into the files. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const packages = new Set(
        [...this.getModuleIds()].map(packageOf).filter((folder) => folder !== null),
      );
      const texts = [...packages].sort().map((folder) => licenceOf(folder));
      this.emitFile({ type: "asset", fileName: "licences.txt", source: texts.join("\n\n") });
    },
  };
}

function packageOf(module: string): string | null {
  const parts = module.split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return null;
  const depth = parts[at + 1]?.startsWith("@") === true ? 3 : 2;
  return parts.slice(0, at + depth).join(sep);
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Readonly<Record<string, string>>;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  return `${name} ${version} (${license})${text}`;
}
