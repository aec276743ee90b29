import type { Line } from "./askfabric.ts";
import { runOnScreen, type ScreenProgram } from "./screen.ts";

/** What a dialog says once its keys count. */
export const ARMED = "Enter denies.";

/** Picks the outcome of a call of `child`. */
export const outcomeOf =
  (id: string) =>
  (line: Line): Line | undefined =>
    line["id"] === id ? line : undefined;

/** A shell call as `child` reads it. */
export function bashCall(id: string, command: string): object {
  return { id, toolName: "bash", input: { command } };
}

/** Serves the session `lead` at a screen and waits until asks may come. */
export async function serveOnScreen(
  connection: readonly string[],
  size: Parameters<typeof runOnScreen>[1],
): Promise<ScreenProgram> {
  const serve = ["serve", "--terminal", "tui", "--session", "lead", "--log-level", "error"];
  const screen = runOnScreen([...serve, ...connection], size);
  await screen.shows("No ask waits.");
  return screen;
}

/** The same screen on every machine and at every time. */
export function steady(screen: string): string {
  return screen.replaceAll(/\d\d:\d\d:\d\d/g, "HH:MM:SS").replaceAll(/(host {6}: ).*/g, "$1HOST");
}
