import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { Screen } from "../../src/cli/io.ts";
import { until } from "./until.ts";

/** A terminal in this process: the test presses the keys and reads what was written. */
export interface FakeScreen {
  readonly screen: Screen;
  /** What happened to the program by the terminal's doing, in order. */
  readonly events: readonly string[];
  /** Whether keys are read one by one and not echoed. */
  readonly isRaw: () => boolean;
  /** Sends keys as one chunk, as a terminal does with what is typed or pasted at once. */
  readonly press: (keys: string) => void;
  /** Gives the screen another size. */
  readonly resize: (columns: number, rows: number) => void;
  /** Ends the input: no key will ever come again. */
  readonly hangUp: () => void;
  /** Everything written so far, without colours and movements. */
  readonly text: () => string;
  /** Everything written so far, as it is. */
  readonly raw: () => string;
  /** Waits until `text` was written after everything that was seen before. */
  readonly shows: (text: string) => Promise<void>;
}

/** Opens a terminal of that size. */
export function openFakeScreen(size = { columns: 80, rows: 24 }): FakeScreen {
  const events: string[] = [];
  let written = "";
  let seen = 0;
  let isRaw = false;
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => {
      isRaw = on;
    },
  });
  const output = Object.assign(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written += chunk.toString("utf8");
        done();
      },
    }),
    // Standard output is never ended by what is piped into it, and says so by this mark of Node's own.
    { isTTY: true, _isStdio: true, ...size },
  );
  const text = (): string => stripVTControlCharacters(written);
  return {
    screen: {
      input: input as unknown as NodeJS.ReadStream,
      output: output as unknown as NodeJS.WriteStream,
      interrupt: () => events.push("interrupt"),
      lost: () => events.push("lost"),
    },
    events,
    isRaw: () => isRaw,
    press: (keys) => {
      input.write(keys);
    },
    resize: (columns, rows) => {
      Object.assign(output, { columns, rows });
      output.emit("resize");
    },
    hangUp: () => {
      input.end();
    },
    text,
    raw: () => written,
    shows: async (awaited) => {
      await until(`the screen shows ${awaited}`, () => text().includes(awaited, seen)).catch(
        (error: unknown) => {
          throw new Error(`${String(error)}\n${text().slice(seen)}`, { cause: error });
        },
      );
      seen = text().indexOf(awaited, seen) + awaited.length;
    },
  };
}
