import type { ControlAnswer, ShownAsk, WantsShown } from "../../ask/control.ts";
import type { PromptPermissionDetails } from "../../ask/details.ts";
import type { JournalWrites, ServedAskRow } from "../../journal/journal.ts";
import { askEntry } from "../records.ts";
import type { Serving } from "../serving.ts";
import { standingEnd } from "../standing-end.ts";
import { ofRow, storedAsk } from "../stored.ts";
import { type Operator, type OperatorDesk, refuse } from "./operator.ts";
import { whereabouts } from "./whereabouts.ts";

/** Bytes that a UTF-16 unit of JSON text takes at most where it stands in JSON text once more. */
const BYTES_OF_UNIT = 3;

/** Room for what stands beside the text of an answer, in bytes. */
const FRAME_BYTES = 8 * 1_024;

/** Most showings that are remembered as recorded. */
const MOST_SHOWN = 10_000;

/** Shows one open ask as a person is shown it, as much of its text as one answer holds. */
export function showAsk(desk: OperatorDesk, by: Operator, wants: WantsShown): ControlAnswer {
  const { serving, line } = desk;
  const { requestId, from = 0 } = wants;
  serving.arrivals.settle();
  const row = serving.read.servedAsk(requestId);
  if (row === null) return refuse("unknown_request");
  if (row.end !== null) {
    const stands = standingEnd(serving, requestId);
    return refuse("ended", stands === null ? {} : { stands });
  }
  const { text, digest } = showing(desk, row);
  if (from > text.length) return refuse("stale_digest", { digest });
  if (from === 0) noteShown(desk, by, row, digest);
  const units = Math.floor((line.maxBytes - FRAME_BYTES) / BYTES_OF_UNIT);
  const part = { size: text.length, from, text: sliceOf(text, from, units) };
  return { op: "show", shown: { requestId, digest, ...whereabouts(serving, row), ...part } };
}

/** The text of an open ask as a person is shown it now, and its digest. */
export function showing(
  { serving, line }: Pick<OperatorDesk, "serving" | "line">,
  row: ServedAskRow,
): { readonly text: string; readonly digest: string } {
  const live = serving.live.get(row.requestId);
  const details = live?.details ?? detailsOf(serving, row);
  const shown = line.showing(shownOf(serving, row, { details, reprompt: live?.reprompt }));
  // It waits: what its row has need not be in memory.
  if (live?.state === "human" || live?.state === "relayed") live.rest();
  return shown;
}

function detailsOf(serving: Serving, row: ServedAskRow): PromptPermissionDetails {
  const { details } = ofRow(serving.session, row);
  if (details === null) throw new Error("a row without details cannot be shown");
  return details;
}

function shownOf(
  { session }: Serving,
  { askDigest, presented }: ServedAskRow,
  of: { readonly details: PromptPermissionDetails; readonly reprompt: number | undefined },
): ShownAsk {
  const { requestId, source, agentName, payload, surface, value, forwarding, sessionApproval } =
    of.details;
  return {
    session,
    requestId,
    askDigest,
    reprompt: of.reprompt ?? presented,
    source,
    agentName,
    payload,
    surface,
    value,
    forwarding,
    ...(sessionApproval === undefined ? {} : { sessionApproval }),
  };
}

/** Notes that a person was shown the ask: whoever comes after a crash must never be told that nobody saw it. */
function noteShown(
  { serving, shownTo }: OperatorDesk,
  by: Operator,
  row: ServedAskRow,
  shown: string,
): void {
  const key = `${by.token} ${row.requestId} ${shown}`;
  if (shownTo.has(key)) return;
  if (shownTo.size >= MOST_SHOWN) shownTo.clear();
  shownTo.add(key);
  const live = serving.live.get(row.requestId);
  if (live !== undefined) live.wasPresented = true;
  const ask = storedAsk(serving.session, row);
  const fields = { operator: by.name, op: "show", shown };
  const entry = askEntry(serving.draft, "operator.answered", ask, fields);
  const note = (tx: JournalWrites): void => {
    // What rests is answered by nobody; its count stands in what is shown of it.
    if (live !== undefined) tx.countPresented(row.requestId);
    tx.record(entry, serving.clock.now());
  };
  if (!serving.ledger.commit(note).kept) serving.ledger.owe(note);
}

/** Never half a letter: neither end of it would be readable. */
function sliceOf(text: string, from: number, units: number): string {
  const slice = text.slice(from, from + units);
  return /[\ud800-\udbff]$/.test(slice) ? slice.slice(0, -1) : slice;
}
