import { createPrompt, useEffect, useKeypress, useMemo, useState } from "@inquirer/core";
import type { GrantWidth } from "../ask/grant.ts";
import type { Clock, TerminalAsk } from "../ask/ports.ts";
import type { Screen } from "./io.ts";
import type { Answer } from "./lines.ts";
import { createArming, type LastKey } from "./tui-arming.ts";
import { drawFrame } from "./tui-frame.ts";
import { type DialogState, FIRST_STATE, isMove, pressKey } from "./tui-keys.ts";
import type { Paint } from "./tui-paint.ts";
import { type TypedKey, typeReason } from "./tui-reason.ts";

/** What a dialog is built with. */
export interface DialogConfig {
  readonly ask: TerminalAsk;
  readonly screen: Screen;
  readonly waiting: () => number;
  /** Calls `listener` whenever `waiting` may have changed; returns how to end that. */
  readonly onChange: (listener: () => void) => () => void;
  readonly maxRows: number;
  readonly fieldMaxWidth: number;
  readonly clock: Pick<Clock, "monotonic">;
  readonly paint: Paint;
  /** Shared by all dialogs of a terminal: a key that is held through several of them decides in one. */
  readonly lastKey: LastKey;
  /** Where the person stands with this ask: it outlives the dialog when the end-of-input key ends that. */
  readonly memory: DialogMemory;
}

/** What a person has done with an ask so far. */
export interface DialogMemory {
  state: DialogState;
  typed: string;
  note: string;
}

/** A memory of an ask that nobody has seen yet. */
export function freshMemory(): DialogMemory {
  return { state: FIRST_STATE, typed: "", note: "" };
}

/** What a person answered. */
export interface PersonSaid {
  readonly answer: Answer;
  readonly reason?: string;
  /** Present when the grant is to reach both directions of its paths. */
  readonly width?: GrantWidth;
}

/** What a person answered, or that the keys ended. */
export type Said = PersonSaid | { readonly answer: null };

const CLEAR = "\u001b[2J\u001b[H";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
/** Has the terminal say where pasted text begins and ends. */
const MARK_PASTES = "\u001b[?2004h";
const MARK_NO_PASTES = "\u001b[?2004l";

const MANY_KEYS = "Several keys at once decide nothing.";

/** At most this often a dialog is drawn anew for asks that come and go, in milliseconds between two times. */
const REDRAW_MS = 100;

/** Asks a person about one ask. Rejects when it is aborted, or when the stop key was pressed. */
export const askPerson = createPrompt<Said, DialogConfig>((config, done) => {
  const { memory, screen } = config;
  const { output } = screen;
  const [, redraw] = useState(0);
  const turns = useMemo(() => ({ count: 0 }), []);
  const again = (): void => redraw((turns.count += 1));
  const { clock, lastKey } = config;
  const arming = useMemo(() => createArming({ clock, lastKey, changed: () => again() }), []);
  const keys = useMemo(() => ({ batch: [] as TypedKey[], pasting: false }), []);

  const frame = drawFrame({
    ...config,
    ...memory,
    isArmed: arming.isArmed(),
    waiting: config.waiting(),
    columns: output.columns || 80,
    rows: output.rows || 24,
  });

  const to = (state: DialogState): void => {
    // Another question, or another answer to it.
    const isOther = state.stage !== memory.state.stage || state.width !== memory.state.width;
    if (isOther) arming.begin();
    memory.state = state;
    again();
  };

  const refuse = (note: string): void => {
    memory.note = note;
    arming.ignored();
    again();
  };

  const inReason = (typed: readonly TypedKey[], isPaste: boolean): void => {
    const [key] = typed;
    const isEnter = key?.name === "return" || key?.name === "enter";
    if (typed.length === 1 && !isPaste) {
      if (key?.name === "escape") return to({ ...memory.state, stage: "choose" });
      if (isEnter && !arming.isArmed()) return;
      if (isEnter) return done({ answer: "deny", reason: memory.typed.trim() });
    }
    memory.typed = typed.reduce(typeReason, memory.typed);
    again();
  };

  const take = (typed: readonly TypedKey[], isPaste: boolean): void => {
    memory.note = "";
    if (memory.state.stage === "reason") return inReason(typed, isPaste);
    // What arrives together was typed before the screen could answer to it, or was pasted.
    if (isPaste || (typed.length > 1 && !typed.every(({ name }) => isMove(name ?? "")))) {
      return refuse(MANY_KEYS);
    }
    for (const { name = "", ctrl, meta } of typed) {
      // A terminal marks Escape alone as it marks Alt.
      if (ctrl !== true && (meta !== true || name === "escape")) press(name);
    }
  };

  const press = (name: string): void => {
    if (!arming.isArmed() && !isMove(name)) return arming.ignored();
    const pressed = pressKey(memory.state, name, frame.facts);
    if ("answer" in pressed) return done(pressed);
    if (pressed.heldBack === true) arming.ignored();
    to(pressed.state);
  };

  useEffect((rl) => {
    output.write(MARK_PASTES);
    arming.begin();
    const emitter = rl as unknown as NodeJS.EventEmitter;
    const drawing = throttled(again);
    const forget = config.onChange(drawing.call);
    const resized = (): void => {
      output.write(CLEAR);
      // What was on a screen of another size was in other rows.
      memory.state = { ...memory.state, seen: 0 };
      arming.begin();
      again();
    };
    // It is a node:readline interface; its published type leaves the events out.
    emitter.once("close", () => done({ answer: null }));
    // It passes on the errors of its input, which has a listener of its own; without one here it would throw.
    emitter.on("error", () => undefined);
    emitter.on("SIGTSTP", () => refuse("Ctrl-Z is off here."));
    output.on("resize", resized);
    return () => {
      arming.end();
      forget();
      drawing.end();
      output.off("resize", resized);
      output.write(MARK_NO_PASTES);
    };
  }, []);

  useKeypress((key, rl) => {
    lastKey.at = clock.monotonic();
    rl.clearLine(0);
    const { name } = key;
    if (name === "paste-start" || name === "paste-end") {
      keys.pasting = name === "paste-start";
      if (memory.state.stage !== "reason") refuse(MANY_KEYS);
      return;
    }
    keys.batch.push(key);
    if (keys.batch.length > 1) return;
    const isPaste = keys.pasting;
    queueMicrotask(() => take(keys.batch.splice(0), isPaste));
  });

  const cursor = memory.state.stage === "reason" ? SHOW_CURSOR : HIDE_CURSOR;
  return frame.rows.join("\n") + cursor;
});

/** Calls `draw` at once, and for what follows closely once more at the end. */
function throttled(draw: () => void): { readonly call: () => void; readonly end: () => void } {
  let timer: NodeJS.Timeout | null = null;
  let isDue = false;
  const call = (): void => {
    isDue = timer !== null;
    if (isDue) return;
    timer = setTimeout(() => {
      timer = null;
      if (isDue) call();
    }, REDRAW_MS);
    draw();
  };
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
  };
  return { call, end };
}
