import { AbortPromptError, ExitPromptError } from "@inquirer/core";
import type { Clock, Terminal, TerminalAsk } from "../ask/ports.ts";
import { visibleText } from "../render/visible-text.ts";
import { type AskQueue, createAskQueue, type QueuedAsk } from "./ask-queue.ts";
import type { Screen } from "./io.ts";
import { rulingOf } from "./ruling.ts";
import type { LastKey } from "./tui-arming.ts";
import { askPerson, freshMemory, type PersonSaid, type Said } from "./tui-dialog.ts";
import { openKeyboard } from "./tui-keyboard.ts";
import { paintOf } from "./tui-paint.ts";
import { hanging, oneRow } from "./tui-view.ts";
import { answeredText, takenBackText } from "./tui-words.ts";

/** What the terminal of a person is built with. */
export interface TuiTerminalOptions {
  readonly screen: Screen;
  /** Rows of a view that is not the complete one. */
  readonly maxRows: number;
  /** UTF-16 units of a field in it. */
  readonly fieldMaxWidth: number;
  readonly colour: boolean;
  readonly clock: Clock;
}

/** A terminal with a person before it. Ending its scope gives the keys back. */
export interface TuiTerminal extends Terminal, Disposable {
  /** Asks may come from now on: until one does, the screen says that none waits. */
  readonly begin: () => void;
  /**
   * Writes lines beside dialogs: at once, or when the dialog on show has ended. What a screen would obey is
   * shown escaped.
   */
  readonly say: (text: string) => void;
}

/** Lines kept for the end of a dialog; of more the oldest are told by their number. */
const MOST_HELD = 200;

/** Columns that rows are made for on the narrowest of screens. */
const NARROWEST = 8;

const IDLE = "No ask waits. Ctrl-C ends serving.";
const ERASE_ROW = "\r\u001b[2K";
const CTRL_D_NOTE = "Ctrl-D decides nothing.";

/** Puts asks to the person before a screen, one at a time in the order of their arrival. */
export function createTuiTerminal(options: TuiTerminalOptions): TuiTerminal {
  const { screen, clock } = options;
  const { output } = screen;
  const paint = paintOf(options.colour);
  const lastKey: LastKey = { at: Number.NEGATIVE_INFINITY };
  const keyboard = openKeyboard(screen, () => {
    lastKey.at = clock.monotonic();
  });
  const listeners = new Set<() => void>();
  let held: string[] = [];
  let dropped = 0;
  let isServing = false;
  let isIdle = false;
  let onShow: { readonly ask: TerminalAsk; readonly away: AbortController } | null = null;
  let turn = Promise.resolve();

  /** The last column stays free: a screen would break the row by itself there. */
  const width = (): number => Math.max(NARROWEST, (output.columns || 80) - 1);

  const idle = (): void => {
    if (!isServing || isIdle || onShow !== null || queue.waiting() > 0) return;
    isIdle = true;
    output.write(paint.quiet(oneRow(IDLE, width())));
  };
  const wake = (): void => {
    if (isIdle) output.write(ERASE_ROW);
    isIdle = false;
  };

  const write = (line: string): void => {
    if (onShow === null) {
      const wasIdle = isIdle;
      wake();
      output.write(line);
      if (wasIdle) idle();
      return;
    }
    held.push(line);
    if (held.length > MOST_HELD) {
      held.shift();
      dropped += 1;
    }
  };
  const release = (): void => {
    const lines = held;
    const missing = dropped;
    held = [];
    dropped = 0;
    if (missing > 0) write(`(${missing} earlier lines are left out)\n`);
    lines.forEach(write);
  };

  const dialog = async (ask: TerminalAsk, away: AbortSignal): Promise<Said> => {
    const memory = freshMemory();
    const config = {
      ...options,
      ask,
      paint,
      memory,
      lastKey,
      waiting: queue.waiting,
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const context = { input: screen.input, output, signal: away, clearPromptOnDone: true };
    for (;;) {
      const said = await askPerson(config, context);
      // The end-of-input key ends a dialog and answers nothing.
      if (said.answer !== null || !screen.input.readable) return said;
      memory.note = CTRL_D_NOTE;
    }
  };

  const put = async (entry: QueuedAsk): Promise<void> => {
    const { ask } = entry;
    if (queue.find(ask.details.requestId) !== entry) return;
    const away = new AbortController();
    wake();
    keyboard.leave();
    onShow = { ask, away };
    try {
      // Noted first: whoever comes after a crash must never be told that nobody saw it.
      ask.presented();
      const said = await dialog(ask, away.signal);
      if (said.answer === null) screen.lost();
      else rule(entry, said);
    } catch (error) {
      if (error instanceof ExitPromptError) screen.interrupt();
      else if (!(error instanceof AbortPromptError)) queue.fail(entry, error);
    } finally {
      onShow = null;
      keyboard.take();
      release();
    }
  };

  const rule = (entry: QueuedAsk, said: PersonSaid): void => {
    const { ask } = entry;
    const grants = ask.details.sessionApproval?.grants ?? [];
    queue.answer(entry, {
      ...rulingOf({ ...said, via: "terminal", grants }),
      settled: (effect, stands) => {
        write(answeredText(said, { effect, stands }, { ask, paint, width: width() }));
        queue.fill();
      },
    });
    // Whoever never tells the effect still gets the next one shown.
    setImmediate(() => {
      queue.fill();
      turn = turn.then(idle);
    });
  };

  const queue: AskQueue = createAskQueue({
    open: 1,
    show: (entry) => {
      turn = turn.then(async () => put(entry));
    },
    takenBack: (ask, why) => {
      if (onShow?.ask !== ask) return;
      write(takenBackText(why, { ask, paint, width: width() }));
      onShow.away.abort();
      turn = turn.then(idle);
    },
    changed: () => {
      for (const listener of listeners) listener();
    },
  });

  // What is typed before the first dialog is meant for none.
  keyboard.take();

  return {
    decide: queue.decide,
    waiting: queue.waiting,
    begin: () => {
      isServing = true;
      idle();
    },
    say: (text) => {
      for (const line of text.replace(/\n$/, "").split("\n")) {
        write(`${hanging(visibleText(line), width()).join("\n")}\n`);
      }
    },
    [Symbol.dispose]: () => {
      isServing = false;
      wake();
      keyboard.close();
    },
  };
}
