import type { Ask } from "../ask/ask.ts";
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Log } from "../ask/ports.ts";
import { takeUpStoredAsk } from "../bus/stored-ask.ts";
import type { JournalReads, ServedAskRow } from "../journal/journal.ts";
import { buildDetails } from "../render/details.ts";

/** An ask for as long as it may take: in memory while it is worked on, in its journal row while it only waits. */
export interface KeptAsk {
  /**
   * Read again where it rested, and only as the very bytes that came; where its row does not have them any more,
   * what is left is its id and who asked.
   */
  readonly ask: Ask;
  /** What links and people see of it. */
  readonly details: PromptPermissionDetails;
  /** Lets go of everything that its row has too. */
  rest(): void;
}

/** Where the rows of waiting asks are. */
export interface KeptIn {
  /** The serving session. */
  readonly session: string;
  readonly read: Pick<JournalReads, "servedAsk">;
  readonly log: Log;
}

/** Keeps an ask whose row is durable. */
export function keepAsk(
  serving: KeptIn,
  received: { readonly ask: Ask; readonly childToken: string; readonly askDigest: string },
): KeptAsk {
  const { childToken, askDigest } = received;
  const { id: requestId, nonce, createdAt, expiresAt } = received.ask;
  let ask: Ask | null = received.ask;
  let details: PromptPermissionDetails | null = null;

  const textOfRow = (): string => {
    try {
      return serving.read.servedAsk(requestId)?.ask ?? "";
    } catch (error) {
      serving.log.error({ err: error, requestId }, "an ask that waits cannot be read again");
      return "";
    }
  };
  const read = (): Ask => {
    const row = { childToken, askDigest, ask: textOfRow() };
    const taken = takeUpStoredAsk({ ...row, parent: serving.session }, nonce);
    if (taken !== null) return taken;
    const times = { receivedAt: createdAt, deadlineAt: expiresAt };
    return Object.freeze({
      ...askByIdAlone(serving.session, { ...row, ...times, requestId }),
      nonce,
    });
  };
  return {
    get ask() {
      ask ??= read();
      return ask;
    },
    get details() {
      details ??= buildDetails(this.ask);
      return details;
    },
    rest: () => {
      ask = null;
      details = null;
    },
  };
}

/** What is left of an ask whose text cannot be read any more. */
export function askByIdAlone(
  session: string,
  row: Pick<ServedAskRow, "requestId" | "childToken" | "receivedAt" | "deadlineAt">,
): Omit<Ask, "nonce"> {
  return {
    id: row.requestId,
    createdAt: row.receivedAt,
    expiresAt: row.deadlineAt,
    requesterSessionId: row.childToken,
    targetSessionId: session,
    requesterAgentName: "unknown",
    source: "tool_call",
  };
}
