import {
  type ControlAnswer,
  MAX_CONTROL_ANSWER_BYTES,
  MAX_CONTROL_REQUEST_BYTES,
  type ShownAsk,
} from "../ask/control.ts";
import type { Log } from "../ask/ports.ts";
import { readJsonOnce } from "../wire/body.ts";
import {
  controlAnswerSubject,
  encodeControlAnswer,
  encodeShownAsk,
  type ReadControl,
  readControlRequest,
} from "../wire/control.ts";
import { bytesDigest } from "../wire/digest.ts";
import { createSubjects } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Bus } from "./bus.ts";
import { countDrops } from "./drops.ts";
import type { PublishOutcome } from "./port.ts";
import { tokenName } from "./tokens.ts";

/** What an operator wants. Who it is stands in the subject, which the server attests. */
export interface ControlInbound {
  readonly operator: string;
  readonly operatorToken: string;
  /** The op as the subject has it, known or not. */
  readonly op: string;
  /** Digest of the body: repeats have the same. */
  readonly digest: string;
  readonly read: ReadControl;
}

/** The session's end of what operators want. */
export interface ControlLine {
  /** Most bytes that one answer can have. */
  readonly maxBytes: number;
  /** The body of an answer, as JSON text: repeats get the same. */
  encode(id: string, answer: ControlAnswer): string;
  /** The text of an ask as a person is shown it, and its digest. */
  showing(shown: ShownAsk): { readonly text: string; readonly digest: string };
  send(to: { readonly operatorToken: string; readonly id: string }, body: string): PublishOutcome;
  /** Messages that were dropped, by reason. */
  dropped(): Readonly<Record<string, number>>;
  close(): void;
}

/** What a session's line is opened with. */
export interface ControlLineOptions {
  readonly bus: Bus;
  readonly session: string;
  readonly onInbound: (inbound: ControlInbound) => void;
  readonly log?: Log;
}

/** Opens the session's end: from here on operators are heard. */
export function openControlLine({ bus, session, onInbound, log }: ControlLineOptions): ControlLine {
  const { port } = bus;
  const subjects = createSubjects(bus.prefix);
  const self = encodeToken(session);
  const drops = countDrops(log);
  const standing = port.subscribe(
    subjects.filter("ctl", { session: self }),
    drops.guard(({ subject, data }) => {
      const parsed = subjects.parse(subject);
      if (parsed?.kind !== "ctl") return drops.drop("foreign_subject");
      const { operator: operatorToken, op } = parsed;
      const operator = tokenName(operatorToken);
      // Another spelling of a name is another speaker to the server, and would be the same to a reader.
      if (operator !== operatorToken && encodeToken(operator) !== operatorToken) {
        return drops.drop("foreign_subject");
      }
      const tooLong = data.length > MAX_CONTROL_REQUEST_BYTES;
      const read = readControlRequest(op, tooLong ? undefined : readJsonOnce(data));
      onInbound({ operator, operatorToken, op, digest: bytesDigest(data), read });
    }),
  );
  return {
    get maxBytes() {
      return Math.min(MAX_CONTROL_ANSWER_BYTES, port.maxPayloadBytes);
    },
    encode: encodeControlAnswer,
    showing: (shown) => {
      const text = encodeShownAsk(shown);
      return { text, digest: bytesDigest(text) };
    },
    send: ({ operatorToken, id }, body) => {
      const subject = controlAnswerSubject(subjects, {
        operator: operatorToken,
        session: self,
        id,
      });
      return port.publish(subject, Buffer.from(body, "utf8"));
    },
    dropped: () => drops.counts(),
    close: () => standing.unsubscribe(),
  };
}
