#!/usr/bin/env node
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../journal/make-folder.ts";
import { homeFolder } from "./home-folder.ts";
import { loadKept } from "./load-kept.ts";
import type * as program from "./run-process.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const fits = major >= 26 || (major === 24 && minor >= 15) || (major === 22 && minor >= 22);
if (!fits) {
  process.stderr.write(
    `askfabric: Node ${process.versions.node} is too old for this program; run it with Node 22.22.2, 24.15 or 26 and later\n`,
  );
  process.exit(1);
}

// An older Node lacks this name: a static import would end in its own error before the sentence above.
const { enableCompileCache } = process.getBuiltinModule("node:module");

// Compiled code goes to this user's own cache: the usual place is a folder that others can write to.
const cache = process.env["XDG_CACHE_HOME"] || join(homeFolder(), ".cache");
const folder = process.env["NODE_COMPILE_CACHE"] || join(cache, "askfabric", "compiled");
try {
  makeFolder(folder);
  enableCompileCache(folder);
} catch {
  // Without the cache the start is slower; Node's own attempt to make the folder might never return.
}

const file = fileURLToPath(new URL("kept.cjs", import.meta.url));
const use = /^[a-z]{1,16}$/.exec(process.argv[2] ?? "")?.[0] ?? "any";
// Only the built program has the file; its source runs as it is.
const built = loadKept({ file, folder, use }) as typeof program | null;
const { runProcess } = built ?? (await import("./run-process.ts"));
await runProcess();
