import type { RulingEffect, TerminalAsk } from "../ask/ports.ts";
import { visibleCut } from "../render/visible-text.ts";
import { withdrawalText } from "./ask-queue.ts";
import type { Answer, Withdrawal } from "./lines.ts";
import { REFUSALS } from "./stdin-terminal.ts";
import type { PersonSaid } from "./tui-dialog.ts";
import type { Paint } from "./tui-paint.ts";

const DONE: Readonly<Record<Answer, string>> = {
  allow: "Allowed once",
  allow_for_session: "Allowed with its like for this child",
  allow_for_serving_session: "Allowed with its like for every child",
  deny: "Denied",
};

/** Tells what became of an answer, in one line. */
export function answeredText(
  { answer, width }: PersonSaid,
  effect: RulingEffect,
  { ask, paint }: { readonly ask: TerminalAsk; readonly paint: Paint },
): string {
  if (effect !== "counted") {
    return `${paint.warning("Does not count")} (${REFUSALS[effect]}): ${nameOf(ask)}\n`;
  }
  const colour = answer === "deny" ? paint.denied : paint.allowed;
  const wide = width === "family" ? ", reading and writing" : "";
  return `${colour(DONE[answer] + wide)}: ${nameOf(ask)}\n`;
}

/** Tells why the ask on the screen is gone, in one line. */
export function takenBackText(
  ask: TerminalAsk,
  why: Withdrawal,
  { paint }: { readonly paint: Paint },
): string {
  return `${paint.warning(`Gone (${withdrawalText(why)})`)}: ${nameOf(ask)}\n`;
}

const LONGEST_NAME = 60;
const LONGEST_SESSION = 24;

/** Names an ask: what it is about, and whose it is. */
function nameOf({ details }: TerminalAsk): string {
  const { request } = details.payload;
  const surface = details.surface ?? request.surface;
  const name = visibleCut(`${surface} ${details.value ?? request.value}`, LONGEST_NAME).text;
  const from = details.forwarding?.requesterSessionId;
  return from === undefined ? name : `${name} (${visibleCut(from, LONGEST_SESSION).text})`;
}
