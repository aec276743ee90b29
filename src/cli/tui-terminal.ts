import { styleText } from "node:util";
import { AbortPromptError, ExitPromptError } from "@inquirer/core";
import type { Terminal, TerminalAsk } from "../ask/ports.ts";
import { visibleText } from "../render/visible-text.ts";
import { type AskQueue, createAskQueue, type QueuedAsk } from "./ask-queue.ts";
import type { Screen } from "./io.ts";
import { rulingOf } from "./ruling.ts";
import { REFUSALS } from "./stdin-terminal.ts";
import { askPerson, type Said } from "./tui-dialog.ts";

/** What the terminal of a person is built with. */
export interface TuiTerminalOptions {
  readonly screen: Screen;
  /** Rows of a view that is not the complete one. */
  readonly maxRows: number;
  /** UTF-16 units of a field in it. */
  readonly fieldMaxWidth: number;
  readonly colour: boolean;
}

/** A terminal with a person before it. */
export interface TuiTerminal extends Terminal {
  /** Writes text beside dialogs: at once, or when the dialog on show has ended. */
  readonly say: (text: string) => void;
}

/** Puts asks to the person before a screen, one at a time in the order of their arrival. */
export function createTuiTerminal(options: TuiTerminalOptions): TuiTerminal {
  const { screen, maxRows, fieldMaxWidth } = options;
  const listeners = new Set<() => void>();
  const held: string[] = [];
  let onShow: { readonly ask: TerminalAsk; readonly away: AbortController } | null = null;
  let turn = Promise.resolve();

  const say = (text: string): void => {
    if (onShow === null) screen.output.write(text);
    else held.push(text);
  };

  const dialog = async (ask: TerminalAsk, away: AbortSignal): Promise<Said> => {
    const config = {
      ask,
      screen,
      maxRows,
      fieldMaxWidth,
      waiting: queue.waiting,
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      strong: (text: string) =>
        options.colour ? styleText("bold", text, { validateStream: false }) : text,
    };
    const context = {
      input: screen.input,
      output: screen.output,
      signal: away,
      clearPromptOnDone: true,
    };
    for (;;) {
      const said = await askPerson(config, context);
      // The end-of-input key ends a dialog and answers nothing.
      if (said.answer !== null || !screen.input.readable) return said;
    }
  };

  const put = async (entry: QueuedAsk): Promise<void> => {
    const { ask } = entry;
    if (queue.find(ask.details.requestId) !== entry) return;
    const away = new AbortController();
    onShow = { ask, away };
    try {
      // Noted first: whoever comes after a crash must never be told that nobody saw it.
      ask.presented();
      answer(queue, entry, { said: await dialog(ask, away.signal), say });
    } catch (error) {
      if (error instanceof ExitPromptError) screen.interrupt();
      else if (!(error instanceof AbortPromptError)) queue.fail(entry, error);
    } finally {
      onShow = null;
      for (const text of held.splice(0)) say(text);
    }
  };

  const queue: AskQueue = createAskQueue({
    open: 1,
    show: (entry) => {
      turn = turn.then(async () => put(entry));
    },
    takenBack: (ask, why) => {
      say(`Taken back (${visibleText(why)}): ${nameOf(ask)}\n`);
      if (onShow?.ask === ask) onShow.away.abort();
    },
    changed: () => {
      for (const listener of listeners) listener();
    },
  });

  return { decide: queue.decide, waiting: queue.waiting, say };
}

const EFFECTS = {
  allow: "Allowed once",
  allow_for_session: "Allowed with its like for this child",
  allow_for_serving_session: "Allowed with its like for every child",
  deny: "Denied",
} as const;

function answer(
  queue: AskQueue,
  entry: QueuedAsk,
  { said, say }: { said: Said; say: (text: string) => void },
): void {
  if (said.answer === null) return;
  const grants = entry.ask.details.sessionApproval?.grants ?? [];
  const done = EFFECTS[said.answer];
  queue.answer(entry, {
    ...rulingOf({ ...said, answer: said.answer, via: "terminal", grants }),
    settled: (effect) => {
      const what = effect === "counted" ? done : `Does not count (${REFUSALS[effect]})`;
      say(`${what}: ${nameOf(entry.ask)}\n`);
      queue.fill();
    },
  });
  // Whoever never tells the effect still gets the next one shown.
  setImmediate(queue.fill);
}

const LONGEST_NAME = 60;

function nameOf({ details }: TerminalAsk): string {
  const name = visibleText(
    `${details.surface ?? details.payload.request.surface} ${details.value ?? details.payload.request.value}`,
  );
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}
