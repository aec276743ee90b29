import type { ControlAnswer, OpenAskHead, WantsList } from "../../ask/control.ts";
import { tokenName } from "../../bus/tokens.ts";
import type { PlacedServedAsk } from "../../journal/journal.ts";
import { visibleCut } from "../../render/visible-text.ts";
import { storedAsk } from "../stored.ts";
import type { OperatorDesk } from "./operator.ts";
import { whereabouts } from "./whereabouts.ts";

/** Most asks that are read for one answer. */
const MOST_ROWS = 500;

/** Room for what stands beside the items of an answer, in bytes. */
const FRAME_BYTES = 1_024;

const LONGEST_VALUE = 200;
const LONGEST_NAME = 100;

/** Lists open asks in the order of their arrival, as many as one answer holds. */
export function listAsks({ serving, line }: OperatorDesk, { after = 0 }: WantsList): ControlAnswer {
  serving.arrivals.settle();
  const rows = serving.read.openServedAsksAfter(after, MOST_ROWS);
  const asks: OpenAskHead[] = [];
  let room = line.maxBytes - FRAME_BYTES;
  let last = after;
  for (const row of rows) {
    const head = headOf(serving, row);
    room -= Buffer.byteLength(JSON.stringify(head)) + 1;
    if (room < 0) return { op: "list", asks, next: last };
    asks.push(head);
    last = row.place;
  }
  return { op: "list", asks, ...(rows.length === MOST_ROWS ? { next: last } : {}) };
}

function headOf(serving: OperatorDesk["serving"], row: PlacedServedAsk): OpenAskHead {
  const ask = storedAsk(serving.session, row);
  const facts = ask.payload?.request;
  return {
    requestId: row.requestId,
    ...whereabouts(serving, row),
    child: tokenName(row.childToken),
    agentName: cut(ask.requesterAgentName, LONGEST_NAME),
    since: row.receivedAt,
    surface: cut(ask.surface ?? facts?.surface ?? "", LONGEST_NAME),
    value: cut(ask.value ?? facts?.value ?? "", LONGEST_VALUE),
  };
}

const cut = (text: string, most: number): string => visibleCut(text, most).text;
