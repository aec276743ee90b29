import type { LostReason } from "../ask/lost.ts";
import type { Clock, Log } from "../ask/ports.ts";
import type { RecordDraft, RecordKind } from "../ask/record.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import type { ChildLine } from "../bus/lines.ts";
import type { Journal } from "../journal/journal.ts";
import type { DecisionEvent } from "../render/live-events.ts";
import type { AskBook } from "./ask-book.ts";
import type { JudgedCall, JudgedRequest } from "./judge-call.ts";

/** Who a child is, as it says it in its asks and records. */
export interface ChildSelf {
  readonly session: string;
  /** The session that answers its asks; null when there is none. */
  readonly parent: string | null;
  /** The sessions that are asked after it, in this order. */
  readonly others: readonly string[];
  /** Null when the child has no name for itself. */
  readonly agentName: string | null;
  /** Claimed name of the machine; null when it says nothing. */
  readonly host: string | null;
}

/** Bounds and masks a body and makes it a draft: nothing reaches the journal around it. */
export type Drafter = (
  kind: RecordKind,
  requestId: RequestId | null,
  body: Readonly<Record<string, unknown>>,
) => RecordDraft;

/** What the functions of this room share while one child is open. */
export interface ChildParts {
  readonly self: ChildSelf;
  readonly asks: AskBook;
  readonly line: Pick<ChildLine, "seal">;
  readonly journal: Pick<Journal, "write" | "group" | "soon">;
  readonly draft: Drafter;
  /** Tells observers of a decision, at best effort. Never throws. */
  readonly tell: (event: DecisionEvent) => void;
  /** Makes ready what judging a call needs; null when everything is there. */
  readonly prepare: (call: ToolCall) => Promise<void> | null;
  /** Judges a call by the rules and grants of this moment. */
  readonly judge: (call: ToolCall) => JudgedCall;
  /** Judges one of its requests once more, by the rules and grants of this moment. */
  readonly judgeAgain: (judged: JudgedRequest) => JudgedRequest;
  /** An approval left a grant: it may settle what else waits. */
  readonly granted: () => void;
  /** Calls `listen` whenever the rules change or a grant is added, until the answer is called. */
  readonly onRules: (listen: () => void) => () => void;
  /** Why no answer can reach this process; null while one can. */
  readonly severed: () => LostReason | null;
  readonly clock: Clock;
  readonly log: Log;
}
