import type { Presence } from "../ask/messages.ts";
import { type OpenAsked, type OpenServed, readOpenAsks } from "../journal/read-open-asks.ts";
import { span } from "./audit-text.ts";
import type { CheckLine } from "./lines.ts";

/** Most asks that are told one by one. */
const MOST_TOLD = 50;

/** Sessions an ask can be followed through on this machine. */
const MOST_HOPS = 9;

/** What open asks are looked at with. */
export interface AskLook {
  /** The data folder: journals of other sessions in it tell more. */
  readonly folder: string;
  readonly session: string;
  readonly now: number;
  /** The heartbeat of each session, null of one that is not heard; absent where no server can be asked. */
  readonly heard: ReadonlyMap<string, Presence | null> | null;
}

/** The sessions that get on what is open at a session: itself where it serves, and those it waits for. */
export function sessionsAbove(folder: string, session: string): readonly string[] {
  const open = readOpenAsks(folder, session);
  const found = new Set(open?.asked.map(({ parent }) => parent));
  for (const one of found) {
    if (found.size > MOST_HOPS) break;
    for (const { parent } of readOpenAsks(folder, one)?.asked ?? []) found.add(parent);
  }
  return open !== null && open.served.length > 0 ? [...found, session] : [...found];
}

/** Where each open ask of a session is, and who could get it on. */
export function checkAsks(look: AskLook): readonly CheckLine[] {
  const open = readOpenAsks(look.folder, look.session);
  if (open === null) return [];
  const own = open.asked.filter(({ passedOn }) => !passedOn);
  const lines = [
    ...own.map((ask) => askedLine(look, ask)),
    ...open.served.map((ask) => servedLine(look, ask, open.asked)),
  ];
  if (lines.length === 0) {
    return [{ check: "asks", status: "ok", text: `no ask of ${look.session} is open` }];
  }
  const more = lines.length - MOST_TOLD;
  const rest: CheckLine = { check: "asks", status: "ok", text: `and ${String(more)} more` };
  return [...lines.slice(0, MOST_TOLD), ...(more > 0 ? [rest] : [])];
}

type Place = Omit<CheckLine, "check">;

function askedLine(look: AskLook, ask: OpenAsked): CheckLine {
  const { session, now } = look;
  const { requestId, parent, createdAt, expiresAt, lives } = ask;
  const check = `ask ${requestId}`;
  const since = `asked ${span(now - createdAt)} ago`;
  if (!lives) {
    const text = `${since}; the process that asked is gone, and with it whoever waited`;
    const todo = `the next command of session ${session} takes it back; start one to have it done now`;
    return { check, status: "warn", text, todo };
  }
  const { status, text, todo } = placeOf(look, requestId, parent);
  const ends = expiresAt > now ? `it ends in ${span(expiresAt - now)}` : "its time is over";
  return { check, status, text: `${since}; ${text}; ${ends}`, ...(todo ? { todo } : {}) };
}

/** Where an ask is that was put to a session. */
function placeOf(look: AskLook, requestId: string, at: string, hop = 0): Place {
  const open = readOpenAsks(look.folder, at);
  const row = open?.served.find((one) => one.requestId === requestId);
  const on = open?.asked.find((one) => one.passedOn && one.requestId === requestId);
  const isHeard = look.heard === null ? null : (look.heard.get(at) ?? null) !== null;
  if (isHeard === false) {
    const text = `${at} has ${row === undefined ? "not taken it or is" : "taken it and is"} not heard`;
    return { status: "warn", text, todo: `start "askfabric serve --session ${at}"` };
  }
  if (row === undefined) {
    const text = `${at} is asked, and its journal is not on this machine or does not have it`;
    return { status: "ok", text, todo: `run "askfabric doctor --session ${at}" where it serves` };
  }
  if (row.ended !== null)
    return { status: "ok", text: `${at} has decided, its answer is on its way` };
  if (on !== undefined && hop < MOST_HOPS) {
    const above = placeOf(look, requestId, on.parent, hop + 1);
    return { ...above, text: `${at} has passed it on; ${above.text}` };
  }
  return heldBy(at, row);
}

function heldBy(at: string, { presented }: OpenServed): Place {
  if (presented === 0) {
    return {
      status: "ok",
      text: `${at} has it and showed it to nobody yet: a link looks at it, or it waits behind another`,
    };
  }
  const times = presented === 1 ? "" : ` ${String(presented)} times`;
  return {
    status: "ok",
    text: `a person at ${at} was shown it${times}`,
    todo: `answer it at the terminal of ${at}`,
  };
}

function servedLine(look: AskLook, ask: OpenServed, asked: readonly OpenAsked[]): CheckLine {
  const { session, now } = look;
  const { requestId, childToken, receivedAt, deadlineAt, ended } = ask;
  const check = `ask ${requestId}`;
  const since = `of ${childToken}, here for ${span(now - receivedAt)}`;
  if (ended !== null) {
    const text = `${since}; it is decided, and ${childToken} has not said yet that it knows`;
    return { check, status: "ok", text };
  }
  const on = asked.find((one) => one.passedOn && one.requestId === requestId);
  const isServed = look.heard === null || (look.heard.get(session) ?? null) !== null;
  const place: Place = isServed
    ? on === undefined
      ? heldBy(session, ask)
      : placeOf(look, requestId, on.parent)
    : {
        status: "warn",
        text: `no process serves ${session}: it rests until one does and its child repeats it`,
        todo: `start "askfabric serve --session ${session}"`,
      };
  const ends = deadlineAt > now ? `it ends in ${span(deadlineAt - now)}` : "its time is over";
  return { ...place, check, text: `${since}; ${place.text}; ${ends}` };
}
