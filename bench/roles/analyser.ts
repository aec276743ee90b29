import { isShellLoaded, loadShell } from "../../src/shell/load-shell.ts";
import { understand } from "../../src/shell/understand.ts";
import { serveRole } from "../frame/serve-role.ts";

/** Loads the grammar of the shell and understands a first text with it: milliseconds, once in a process. */
await serveRole(async () => {
  const begun = performance.now();
  await loadShell();
  const understood = understand("cd server && make test 2>&1 | tail -n 40");
  const took = performance.now() - begun;
  if (!isShellLoaded() || typeof understood === "string") throw new Error("nothing was understood");
  return { took: () => took };
});
