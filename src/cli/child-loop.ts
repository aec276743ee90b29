import type { Outcome } from "../ask/outcome.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import { type CallFault, readChildInput } from "./call-line.ts";
import { untilStopped } from "./io.ts";
import { INPUT_FAULTS, type InputLine } from "./json-lines.ts";
import type { CallId, ErrorLine, OutcomeLine } from "./lines.ts";
import { outcomeLine } from "./outcome-line.ts";

/** What the loop is run with. */
export interface ChildLoopOptions {
  readonly lines: AsyncIterable<InputLine>;
  readonly print: (line: OutcomeLine | ErrorLine) => void;
  /** Decides one call; never throws. */
  readonly decide: (
    call: ToolCall,
    options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ) => Promise<Outcome>;
  /** Working directory of calls that name none. */
  readonly cwd: string;
  /** Aborting takes back what is open and reads no further. */
  readonly signal: AbortSignal;
}

/** Most calls that may be open at once; a further one is refused by name. */
const MAX_OPEN_CALLS = 10_000;

const REFUSALS = {
  duplicate_id: "a call with this id is open; give each call an id of its own",
  unknown_id: "no open call has this id; its outcome may be out already",
  too_many_calls: `${MAX_OPEN_CALLS} calls are open; wait for outcomes`,
} as const;

/** Decides the calls of a stream of lines, many at once; ends when the stream has ended and all outcomes are out. */
export async function runChildLoop(options: ChildLoopOptions): Promise<void> {
  const { print, signal } = options;
  const open = new Map<CallId, { readonly abort: AbortController; readonly done: Promise<void> }>();

  const refuse = (line: number, fault: CallFault): void =>
    print({
      error: {
        code: fault.code,
        line,
        text: fault.text,
        ...(fault.id === undefined ? {} : { id: fault.id }),
      },
    });

  const start = (id: CallId, call: ToolCall, timeoutMs?: number): void => {
    const abort = new AbortController();
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const done = options
      .decide(call, { signal: AbortSignal.any([abort.signal, signal]), ...limit })
      .then((outcome) => {
        open.delete(id);
        print(outcomeLine(outcome, id));
      });
    open.set(id, { abort, done });
  };

  const take = (line: InputLine): void => {
    if ("fault" in line)
      return refuse(line.line, { code: line.fault, text: INPUT_FAULTS[line.fault] });
    const said = readChildInput(line.text, options.cwd);
    if (said.kind === "fault") return refuse(line.line, said);
    const { id } = said;
    const named = (code: keyof typeof REFUSALS): void =>
      refuse(line.line, { code, text: REFUSALS[code], id });
    const held = open.get(id);
    if (said.kind === "cancel") return held ? held.abort.abort() : named("unknown_id");
    if (held) return named("duplicate_id");
    if (open.size >= MAX_OPEN_CALLS) return named("too_many_calls");
    start(id, said.call, said.timeoutMs);
  };

  const read = async (): Promise<void> => {
    for await (const line of options.lines) {
      if (signal.aborted) return;
      take(line);
    }
  };
  await Promise.race([read(), untilStopped(signal)]);
  await Promise.all([...open.values()].map(async ({ done }) => done));
}
