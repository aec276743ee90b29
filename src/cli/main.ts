#!/usr/bin/env node
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../journal/make-folder.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const fits = major >= 26 || (major === 24 && minor >= 15) || (major === 22 && minor >= 22);
if (!fits) {
  process.stderr.write(
    `askfabric: Node ${process.versions.node} is too old for this program; run it with Node 22.22.2, 24.15 or 26 and later\n`,
  );
  process.exit(1);
}

// An older Node lacks this name: a static import would end in its own error before the sentence above.
const { enableCompileCache } = await import("node:module");

// Compiled code goes to this user's own cache: the usual place is a folder that others can write to.
const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
const compiled = process.env["NODE_COMPILE_CACHE"] || join(cache, "askfabric", "compiled");
try {
  makeFolder(compiled);
  enableCompileCache(compiled);
} catch {
  // Without the cache the start is slower; Node's own attempt to make the folder might never return.
}

const { openIo } = await import("./io.ts");
const { runProgram } = await import("./program.ts");
const { sentenceOf } = await import("./failure.ts");

const end = (error: unknown): void => {
  process.stderr.write(`askfabric: this program failed inside: ${sentenceOf(error)}\n`);
  process.exit(1);
};
process.on("uncaughtException", end);
process.on("unhandledRejection", end);

const code = await runProgram(process.argv.slice(2), openIo());
// What is written to a pipe may still be on its way.
process.stdout.write("", () => {
  const fault: (Error & { readonly code?: string }) | null = process.stdout.errored;
  if (fault === null || fault.code === "EPIPE") process.exit(code);
  process.stderr.write(
    `askfabric: standard output could not be written (${fault.message}); make room there or send it elsewhere\n`,
  );
  process.exit(code === 0 ? 1 : code);
});
