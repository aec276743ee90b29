import { createPrompt, useEffect, useKeypress, useState } from "@inquirer/core";
import type { TerminalAsk } from "../ask/ports.ts";
import { MAX_REASON_CHARACTERS } from "./answer-line.ts";
import type { Screen } from "./io.ts";
import type { Answer } from "./lines.ts";
import { drawFrame } from "./tui-frame.ts";
import { FIRST_STATE, pressKey } from "./tui-keys.ts";

/** How long a dialog ignores keys after it appeared, in milliseconds: they were meant for what was there before. */
export const ARMED_AFTER_MS = 400;

/** What a dialog is built with. */
export interface DialogConfig {
  readonly ask: TerminalAsk;
  readonly screen: Screen;
  readonly waiting: () => number;
  /** Calls `listener` whenever `waiting` may have changed; returns how to end that. */
  readonly onChange: (listener: () => void) => () => void;
  readonly maxRows: number;
  readonly fieldMaxWidth: number;
  readonly strong: (text: string) => string;
}

/** What a person answered, or that the keys ended. */
export type Said =
  | { readonly answer: Answer; readonly reason?: string }
  | { readonly answer: null };

const CLEAR = "\u001b[2J\u001b[3J\u001b[H";

/** Asks a person about one ask. Rejects when it is aborted, or when the stop key was pressed. */
export const askPerson = createPrompt<Said, DialogConfig>((config, done) => {
  const [state, setState] = useState(FIRST_STATE);
  const [isArmed, arm] = useState(false);
  const [typed, setTyped] = useState("");
  const [, redraw] = useState(0);
  const { output } = config.screen;

  useEffect(() => {
    arm(false);
    const timer = setTimeout(() => arm(true), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state.stage]);
  useEffect((rl) => {
    let turn = 0;
    const again = (): void => redraw((turn += 1));
    const resized = (): void => {
      output.write(CLEAR);
      again();
    };
    const forget = config.onChange(again);
    // It is a node:readline interface; its published type leaves the events out.
    (rl as unknown as NodeJS.EventEmitter).once("close", () => done({ answer: null }));
    output.on("resize", resized);
    return () => {
      forget();
      output.off("resize", resized);
    };
  }, []);

  const frame = drawFrame({
    ...config,
    state,
    isArmed,
    typed,
    waiting: config.waiting(),
    columns: output.columns,
    rows: output.rows,
  });

  useKeypress((key, rl) => {
    if (state.stage === "reason" && isArmed) {
      if (key.name !== "return" && key.name !== "enter") {
        return setTyped(rl.line.slice(0, MAX_REASON_CHARACTERS));
      }
      return done({ answer: "deny", reason: typed });
    }
    rl.clearLine(0);
    if (!isArmed || key.ctrl) return;
    const pressed = pressKey(state, key.name, frame.facts);
    if ("answer" in pressed) done({ answer: pressed.answer });
    else setState(pressed.state);
  });
  return frame.rows.join("\n");
});
