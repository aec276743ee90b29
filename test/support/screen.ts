import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { MAIN } from "./askfabric.ts";
import { until } from "./until.ts";

/** Why no test can drive a terminal here; null when one can. */
export const NO_TMUX: string | null =
  spawnSync("tmux", ["-V"]).status === 0
    ? null
    : "tmux is not on the PATH: a pseudo-terminal cannot be driven; install tmux to run this";

/** The program in a pseudo-terminal. Leaving its scope ends it. */
export interface ScreenProgram extends Disposable {
  /** What is on the screen, without blanks at the ends of rows. */
  read(): string;
  /** Presses keys, named as tmux names them. */
  press(...keys: readonly string[]): void;
  /** Types a text as it is, key by key. */
  type(text: string): void;
  /** Pastes a text, as a terminal that marks what is pasted does. */
  paste(text: string): void;
  /** Takes the terminal away, as closing its window does. */
  hangUp(): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen holds `text`, and returns the screen. */
  shows(text: string): Promise<string>;
  /** Everything on the screen with the sequences that colour it. */
  readStyled(): string;
}

/** The screen a program runs on. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
  readonly env?: readonly string[];
  /** File that is run; the built program when absent. */
  readonly program?: string;
}

/** Runs a program on a screen of that size. */
export function runOnScreen(args: readonly string[], size: ScreenSize): ScreenProgram {
  const socket = `askfabric-${randomBytes(6).toString("hex")}`;
  const tmux = (...given: readonly string[]): string =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...given], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TERM: "xterm-256color" },
    });
  const command = [
    "env",
    "-i",
    `PATH=${process.env["PATH"] ?? ""}`,
    "HOME=/nonexistent",
    "TZ=UTC",
    "TERM=screen-256color",
    ...(size.env ?? []),
    process.execPath,
    size.program ?? MAIN,
    ...args,
  ];
  const quoted = command.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
  const [x, y] = [String(size.columns), String(size.rows)];
  tmux("new-session", "-d", "-x", x, "-y", y, `${quoted}; sleep 60`);
  let isGone = false;
  const read = (): string => tmux("capture-pane", "-p").trimEnd();
  return {
    read,
    readStyled: () => tmux("capture-pane", "-p", "-e"),
    press: (...keys) => {
      tmux("send-keys", ...keys);
    },
    type: (text) => {
      tmux("send-keys", "-l", text);
    },
    paste: (text) => {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    hangUp: () => {
      isGone = true;
      tmux("kill-server");
    },
    resize: (columns, rows) => {
      tmux("resize-window", "-x", String(columns), "-y", String(rows));
    },
    shows: async (text) => {
      const shown = await until(
        `the screen shows ${text}`,
        () => [read()].find((screen) => screen.includes(text)),
        15_000,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${read()}`, { cause: error });
      });
      return shown;
    },
    [Symbol.dispose]: () => {
      if (!isGone) tmux("kill-server");
    },
  };
}
