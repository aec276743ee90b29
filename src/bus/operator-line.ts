import { randomBytes } from "node:crypto";
import type { ControlAnswer, ControlRequest, ShownAsk, ShownPart } from "../ask/control.ts";
import type { Presence } from "../ask/messages.ts";
import type { Log } from "../ask/ports.ts";
import { readJson } from "../wire/body.ts";
import {
  answerTokensOf,
  controlAnswerSubject,
  controlAnswersTo,
  encodeControlRequest,
  readControlAnswer,
  readShownAsk,
} from "../wire/control.ts";
import { bytesDigest } from "../wire/digest.ts";
import { parsePresence } from "../wire/messages.ts";
import { createSubjects } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Bus } from "./bus.ts";
import { countDrops } from "./drops.ts";
import type { BusDelivery, BusEvent } from "./port.ts";

/** Why a session gave no answer: nobody serves it, nothing came in time, or the server does not let this operator ask. */
export type Silence = "not_serving" | "no_answer" | "endless" | "permission_refused";

/** What came of a want. */
export type ControlReply = ControlAnswer | { readonly op: "silence"; readonly why: Silence };

/** A {@link ShownAsk} that came whole, with its digest and where the ask is. */
export interface ShownWhole {
  readonly op: "whole";
  readonly shown: ShownAsk;
  readonly part: Omit<ShownPart, "text" | "from">;
}

type WithoutId<T> = T extends ControlRequest
  ? { readonly op: T["op"]; readonly wants: Omit<T["wants"], "id"> }
  : never;

/** A want before it is given its id. */
export type Want = WithoutId<ControlRequest>;

/** The operator's end, for any number of sessions. */
export interface OperatorLine {
  /** Puts a want to a session and repeats it until something comes, for `timeoutMs` (5,000) at most. */
  ask(session: string, want: Want, timeoutMs?: number): Promise<ControlReply>;
  /** Fetches an ask as a person is shown it, whole and with a digest that was checked. */
  show(session: string, requestId: string): Promise<ControlReply | ShownWhole>;
  /** Calls `heard` for each heartbeat of any session until the returned function is called. */
  hearSessions(heard: (presence: Presence) => void): () => void;
  close(): void;
}

/** What an operator's line is opened with. */
export interface OperatorLineOptions {
  readonly bus: Bus;
  /** The operator's own name. */
  readonly operator: string;
  readonly log?: Log;
}

const REPEAT_MS = 500;
const TIMEOUT_MS = 5_000;

/** How often the server says that nobody hears a want before it is given up: about a second. */
const UNHEARD = 3;

/** How often an ask that changes while it is fetched is fetched anew. */
const FETCHES = 3;

/** Longest text of an ask as a person is shown it: no body of an ask comes to as much. In UTF-16 units. */
const LONGEST_SHOWN = 1024 * 1024;

/** Parts that it is fetched in at most. */
const MOST_PARTS = 1_000;

interface Waiting {
  readonly subject: string;
  readonly session: string;
  readonly read: (bytes: Uint8Array) => ControlAnswer | null;
  readonly end: (reply: ControlReply) => void;
  /** How often the server said that nobody hears it. */
  unheard: number;
}

/** Opens the operator's end: one standing subscription, in place before the first want. */
export function openOperatorLine({ bus, operator, log }: OperatorLineOptions): OperatorLine {
  const { port } = bus;
  const subjects = createSubjects(bus.prefix);
  const self = encodeToken(operator);
  const drops = countDrops(log);
  const waiting = new Map<string, Waiting>();

  const hear = ({ subject, data, noResponders }: BusDelivery): void => {
    const from = answerTokensOf(subjects.parse(subject));
    const want = from === null ? undefined : waiting.get(from.id);
    if (want === undefined || want.session !== from?.session) return drops.drop("not_waiting");
    if (noResponders) {
      // Nobody serves it at this moment: a repeat may find the next process.
      want.unheard += 1;
      if (want.unheard >= UNHEARD) want.end({ op: "silence", why: "not_serving" });
    } else {
      const answer = want.read(data);
      if (answer === null) drops.drop("unreadable_answer");
      else want.end(answer);
    }
  };
  const refused = (event: BusEvent): void => {
    if (event.kind !== "publish_refused") return;
    for (const want of waiting.values()) {
      if (want.subject === event.subject) want.end({ op: "silence", why: "permission_refused" });
    }
  };
  const standing = port.subscribe(controlAnswersTo(subjects, self), drops.guard(hear));
  const unlisten = port.onEvent(refused);

  const ask = async (
    session: string,
    want: Want,
    timeoutMs: number = TIMEOUT_MS,
  ): Promise<ControlReply> => {
    const id = randomBytes(16).toString("base64url");
    const { op } = want;
    const request = { op, wants: { id, ...want.wants } } as ControlRequest;
    const token = encodeToken(session);
    const subject = subjects.of("ctl", { session: token, operator: self, op });
    const reply = controlAnswerSubject(subjects, { operator: self, session: token, id });
    const body = Buffer.from(encodeControlRequest(request), "utf8");
    const put = (): void => void port.publish(subject, body, { reply });
    const { promise, resolve } = Promise.withResolvers<ControlReply>();
    const read = (bytes: Uint8Array): ControlAnswer | null => readControlAnswer({ op, id }, bytes);
    const silent = (): void => resolve({ op: "silence", why: "no_answer" });
    waiting.set(id, { subject, session: token, read, end: resolve, unheard: 0 });
    const repeat = setInterval(put, REPEAT_MS);
    const late = setTimeout(silent, timeoutMs);
    try {
      put();
      return await promise;
    } finally {
      clearInterval(repeat);
      clearTimeout(late);
      waiting.delete(id);
    }
  };

  const fetchOnce = async (
    session: string,
    requestId: string,
  ): Promise<ControlReply | ShownWhole | null> => {
    let whole = "";
    for (let parts = 0; parts < MOST_PARTS && whole.length <= LONGEST_SHOWN; parts += 1) {
      const reply = await ask(session, { op: "show", wants: { requestId, from: whole.length } });
      if (reply.op !== "show") return reply;
      const { text, from, ...part } = reply.shown;
      whole += text;
      const isWhole = whole.length >= part.size;
      if (from + text.length !== whole.length || (!isWhole && text === "")) return null;
      if (!isWhole) continue;
      const shown = bytesDigest(whole) === part.digest ? readShownAsk(whole) : null;
      const isIt = shown?.requestId === requestId && shown.session === session;
      return isIt ? { op: "whole", shown, part } : null;
    }
    return { op: "silence", why: "endless" };
  };

  return {
    ask,
    show: async (session, requestId) => {
      for (let fetches = 0; fetches < FETCHES; fetches += 1) {
        const fetched = await fetchOnce(session, requestId);
        if (fetched !== null) return fetched;
      }
      return { op: "silence", why: "no_answer" };
    },
    hearSessions: (heard) => {
      const one = port.subscribe(
        subjects.filter("hb", {}),
        drops.guard(({ subject, data }) => {
          const parsed = subjects.parse(subject);
          const presence = parsePresence(readJson(data));
          if (parsed?.kind !== "hb" || presence === null) return drops.drop("unreadable_presence");
          if (encodeToken(presence.session) === parsed.session) heard(presence);
        }),
      );
      return () => one.unsubscribe();
    },
    close: () => {
      standing.unsubscribe();
      unlisten();
      for (const want of waiting.values()) want.end({ op: "silence", why: "no_answer" });
    },
  };
}
