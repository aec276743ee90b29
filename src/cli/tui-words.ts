import type { RulingEffect, StandingEnd, TerminalAsk } from "../ask/ports.ts";
import { visibleCut } from "../render/visible-text.ts";
import { withdrawalText } from "./ask-queue.ts";
import type { Answer } from "./lines.ts";
import { standsText } from "./stands-text.ts";
import { REFUSALS } from "./stdin-terminal.ts";
import type { PersonSaid } from "./tui-dialog.ts";
import type { Paint } from "./tui-paint.ts";
import { hanging } from "./tui-view.ts";
import type { Withdrawal } from "./withdrawals.ts";

const DONE: Readonly<Record<Answer, string>> = {
  allow: "Allowed once",
  allow_for_session: "Allowed with its like for this child",
  allow_for_serving_session: "Allowed with its like for every child",
  deny: "Denied",
};

/** On which screen something is told about an ask. */
export interface Telling {
  readonly ask: TerminalAsk;
  readonly paint: Paint;
  /** Columns a row may take: what the ask is about cannot begin one. */
  readonly width: number;
}

/** Tells what became of an answer. */
export function answeredText(
  { answer, width }: PersonSaid,
  { effect, stands }: { readonly effect: RulingEffect; readonly stands?: StandingEnd | undefined },
  { ask, paint, width: columns }: Telling,
): string {
  if (effect !== "counted") {
    const why = stands === undefined ? REFUSALS[effect] : standsText(stands);
    const rest = ` (${why}): ${nameOf(ask)}`;
    return told(paint.warning, "Does not count", { rest, width: columns });
  }
  const colour = answer === "deny" ? paint.denied : paint.allowed;
  const wide = width === "family" ? ", reading and writing" : "";
  return told(colour, DONE[answer] + wide, { rest: `: ${nameOf(ask)}`, width: columns });
}

/** Tells why the ask on the screen is gone. */
export function takenBackText(why: Withdrawal, { ask, paint, width }: Telling): string {
  const rest = `: ${nameOf(ask)}`;
  return told(paint.warning, `Gone (${withdrawalText(why)})`, { rest, width });
}

function told(
  colour: (text: string) => string,
  word: string,
  { rest, width }: { readonly rest: string; readonly width: number },
): string {
  const [first = "", ...more] = hanging(word + rest, width);
  const shown = first.startsWith(word) ? colour(word) + first.slice(word.length) : first;
  return [shown, ...more].map((row) => `${row}\n`).join("");
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
