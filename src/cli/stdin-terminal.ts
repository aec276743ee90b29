import { isIncomplete } from "../ask/carried.ts";
import type { PromptPermissionDetails } from "../ask/details.ts";
import { hasDirections } from "../ask/grant.ts";
import type { PromptRequester } from "../ask/payload.ts";
import type { RulingEffect, StandingEnd, Terminal, TerminalAsk } from "../ask/ports.ts";
import { readServeInput, type ServeInput } from "./answer-line.ts";
import { createAskQueue, type QueuedAsk, withdrawalText } from "./ask-queue.ts";
import { INPUT_FAULTS, type InputLine } from "./json-lines.ts";
import type { PromptLine, ServeLine } from "./lines.ts";
import { rulingOf, SCOPES } from "./ruling.ts";
import { standsText } from "./stands-text.ts";

/** An ask as rows of text. */
export interface PromptView {
  readonly requester: PromptRequester;
  readonly surface: string;
  readonly value: string;
  readonly title: string;
  readonly rows: readonly string[];
  readonly elided: boolean;
  readonly hiddenRows: number;
}

/** What the line terminal is built with. */
export interface StdinTerminalOptions {
  /** Prompts on show at the same time, from 1. */
  readonly open: number;
  /** Renders an ask for a person; `full` leaves nothing out. */
  readonly view: (details: PromptPermissionDetails, full: boolean) => PromptView;
  readonly print: (line: ServeLine) => void;
}

/** A terminal whose person answers by JSON lines. */
export interface StdinTerminal extends Terminal {
  /** Takes one line of the person's. Wrong ones are refused by name and change nothing. */
  read(line: InputLine): void;
}

/** What a person is told when an answer does not count, by its name. */
export const REFUSALS = {
  unknown_request: "no ask has this id here; copy the requestId of a prompt",
  already_answered: "this ask has its answer already; the first one counts",
  withdrawn: "this ask was taken back; nothing waits for an answer",
  not_shown: "this ask could not be shown and its child was told so",
  not_presented:
    "this ask waits behind another and was not shown yet; answer what is on show first",
  ended: "this ask ended before the answer could count",
  unrecorded: "the answer could not be written to disk, so it does not count; the log says why",
  view_incomplete:
    'not all evidence came along; to allow it all the same, answer again with "incomplete":true',
  no_width: 'only a grant over paths has a width; leave "width" out',
  no_grant_suggested: "this ask suggests no grant; answer allow or deny",
} as const;

/**
 * Puts asks to whoever reads what it prints, in the order of their arrival and at most `open` at a time.
 * An ask that is taken back makes room at once. One that cannot be shown rejects, so that its child is told.
 */
export function createStdinTerminal(options: StdinTerminalOptions): StdinTerminal {
  const { print } = options;
  const lineOf = ({ ask }: QueuedAsk, full: boolean): PromptLine =>
    promptLine(ask, { full, waiting: queue.waiting(), view: options.view(ask.details, full) });

  const queue = createAskQueue({
    open: options.open,
    show: (entry) => {
      const line = lineOf(entry, false);
      // Noted first: whoever comes after a crash must never be told that nobody saw it.
      entry.ask.presented();
      print(line);
    },
    takenBack: ({ details: { requestId } }, why) =>
      print({ withdrawn: { requestId, why, text: withdrawalText(why) } }),
  });

  const answer = (said: ServeInput & { kind: "answer" }): void => {
    const { requestId } = said;
    const entry = queue.find(requestId);
    const refuse = (why: keyof typeof REFUSALS): void =>
      print({ answered: { requestId, effective: false, why, text: REFUSALS[why] } });
    if (typeof entry === "string") return refuse(entry);
    const grants = entry.ask.details.sessionApproval?.grants ?? [];
    if (SCOPES[said.answer] !== "once" && grants.length === 0) return refuse("no_grant_suggested");
    if (said.width !== undefined && (SCOPES[said.answer] === "once" || !hasDirections(grants))) {
      return refuse("no_width");
    }
    if (said.answer !== "deny" && said.incomplete !== true) {
      if (isIncomplete(entry.ask.details.payload)) return refuse("view_incomplete");
    }
    const settled = (effect: RulingEffect, stands?: StandingEnd): void => {
      if (effect === "counted") print({ answered: { requestId, effective: true } });
      else if (stands === undefined) refuse(effect);
      else {
        const text = `${REFUSALS[effect]}: ${standsText(stands)}`;
        const { outcome } = stands;
        print({ answered: { requestId, effective: false, why: effect, text, stands: outcome } });
      }
      queue.fill();
    };
    queue.answer(entry, { ...rulingOf({ ...said, via: "stdin", grants }), settled });
    // The echo comes before the next prompt; whoever never tells the effect still gets the next one shown.
    setImmediate(queue.fill);
  };

  const read = (line: InputLine): void => {
    const said: ServeInput =
      "fault" in line
        ? { kind: "fault", code: line.fault, text: INPUT_FAULTS[line.fault] }
        : readServeInput(line.text);
    const { requestId } = said;
    if (said.kind === "answer") answer(said);
    else if (said.kind === "show") {
      const entry = queue.find(said.requestId);
      if (typeof entry !== "string") return print(lineOf(entry, true));
      print({
        error: { code: entry, line: line.line, text: REFUSALS[entry], requestId: said.requestId },
      });
    } else if (requestId === undefined) {
      print({ error: { code: said.code, line: line.line, text: said.text } });
    } else print({ answered: { requestId, effective: false, why: said.code, text: said.text } });
  };

  return { decide: queue.decide, waiting: queue.waiting, read };
}

function promptLine(
  { details, expiresAt, reprompt }: TerminalAsk,
  shown: { full: boolean; waiting: number; view: PromptView },
): PromptLine {
  const grants = details.sessionApproval?.grants.map(({ surface, pattern }) => ({
    surface,
    pattern,
  }));
  const { view } = shown;
  return {
    prompt: {
      requestId: details.requestId,
      requester: view.requester,
      surface: view.surface,
      value: view.value,
      title: view.title,
      rows: view.rows,
      elided: view.elided,
      hiddenRows: view.hiddenRows,
      ...(isIncomplete(details.payload) ? { incomplete: true } : {}),
      waiting: shown.waiting,
      expiresAt,
      ...(reprompt > 0 ? { reprompt } : {}),
      ...(shown.full ? { full: true } : {}),
      ...(grants === undefined ? {} : { grants }),
    },
  };
}
