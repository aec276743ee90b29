import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { defineConfig, type Plugin } from "rolldown";
import { loadLate } from "./load-late.ts";

/** What `ask` loads one after the other before its ask is out, each with all that it imports. */
const ASKING = /\/dist\/(?:cli\/(?:io|program|failure|ask|ship-records)|bus\/connect)\.js$/;

/**
 * Puts the programs and what they import into few files: reading and compiling hundreds of small ones would take
 * most of the time that a one-shot command runs. The library stays as the compiler writes it.
 */
export default defineConfig({
  input: {
    main: "dist/cli/main.js",
    "module-thread": "dist/chain/module-thread.js",
    guard: "dist/chain/guard.js",
  },
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  plugins: [loadLate(), licences()],
  output: {
    dir: "dist/program",
    format: "esm",
    minify: true,
    chunkFileNames: "[name]-[hash].js",
    comments: { legal: true },
    codeSplitting: {
      groups: [
        { name: "first", test: /\/dist\/journal\/make-folder\.js$/, priority: 1 },
        { name: "ask", test: ASKING },
      ],
    },
  },
});

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
