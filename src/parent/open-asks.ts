import type { ServedAskRow } from "../journal/journal.ts";
import type { LiveAsk, Serving } from "./serving.ts";
import { storedAsk } from "./stored.ts";

/** Where an open ask stands at its parent. */
export interface OpenAsk {
  readonly requestId: string;
  readonly childToken: string;
  readonly surface: string | null;
  readonly value: string | null;
  readonly state: "dormant" | "authorizer" | "human" | "relayed";
  readonly expiresAt: number;
}

/** Every undecided ask of this session, in order of arrival: what this process holds and what is dormant. */
export function listOpenAsks(serving: Serving): readonly OpenAsk[] {
  return serving.read
    .openServedAsks()
    .map((row) => openAsk(serving.session, row, serving.live.get(row.requestId)));
}

function openAsk(session: string, row: ServedAskRow, live: LiveAsk | undefined): OpenAsk {
  const ask = live?.ask ?? storedAsk(session, row);
  const facts = ask.payload?.request;
  return {
    requestId: row.requestId,
    childToken: row.childToken,
    surface: ask.surface ?? facts?.surface ?? null,
    value: ask.value ?? facts?.value ?? null,
    state: openState(live),
    expiresAt: live?.deadlineAt ?? row.deadlineAt,
  };
}

/** Where an open ask stands; what no process of the session has taken up is dormant. */
export function openState(live: LiveAsk | undefined): OpenAsk["state"] {
  if (live === undefined) return "dormant";
  return live.state === "authorizer" || live.state === "relayed" ? live.state : "human";
}
