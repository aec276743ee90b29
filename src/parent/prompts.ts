import type { JournalWrites } from "../journal/journal.ts";
import { buildUiPrompt } from "../render/live-events.ts";
import { guarded } from "./guarded.ts";
import { askEntry } from "./records.ts";
import { sendProgress } from "./send.ts";
import { isUndecided } from "./served-state.ts";
import type { LiveAsk, Prompts, Serving } from "./serving.ts";

interface Shown {
  readonly live: LiveAsk;
  readonly prompt: object;
  readonly note: (tx: JournalWrites) => void;
}

/** Opens the prompts of a serving. */
export function openPrompts(of: () => Serving): Prompts {
  let shown: Shown[] = [];
  const settle = (): void => {
    if (shown.length === 0) return;
    const together = shown;
    shown = [];
    writeDown(of(), together);
  };
  return {
    present: (live) => {
      if (!isUndecided(live.state) || live.onScreen) return;
      live.onScreen = true;
      live.wasPresented = true;
      if (shown.length === 0) queueMicrotask(settle);
      shown.push(promptOf(of(), live));
    },
    settle,
  };
}

function promptOf(serving: Serving, live: LiveAsk): Shown {
  const prompt = { ...buildUiPrompt(live.details, live.reprompt) };
  const { draft } = serving;
  const again = { reprompt: live.reprompt };
  const drafts = [
    askEntry(draft, "forwarded_permission.prompted", live.ask, again),
    draft("ui_prompt", live.requestId, prompt),
  ];
  const note = (tx: JournalWrites): void => {
    tx.countPresented(live.requestId);
    for (const one of drafts) tx.record(one, serving.clock.now());
  };
  return { live, prompt, note };
}

function writeDown(serving: Serving, shown: readonly Shown[]): void {
  const all = serving.ledger.commit((tx) => {
    for (const { note } of shown) note(tx);
  });
  for (const { live, prompt, note } of shown) {
    // One that cannot be written by itself takes no other with it.
    const kept = all.kept || (shown.length > 1 && serving.ledger.commit(note).kept);
    if (!kept) serving.ledger.owe(note);
    guarded(serving, "telling of a prompt", () => {
      sendProgress(serving, live, 0);
      serving.tell("ui_prompt", prompt);
    });
  }
}
