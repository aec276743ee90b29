import { loadShell } from "../shell/load-shell.ts";

/** Loads what rules need to judge shell commands that are more than plain; never rejects. */
export async function prepareJudging(): Promise<void> {
  await loadShell();
}
