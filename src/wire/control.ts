import {
  CONTROL_ID,
  CONTROL_OPS,
  type ControlAnswer,
  type ControlOp,
  type ControlRequest,
  type ShownAsk,
} from "../ask/control.ts";
import { isThisRevision, ownObject, readJson } from "./body.ts";
import { CONTROL_ANSWERS, CONTROL_WANTS, shownAsk } from "./control-schemas.ts";
import { readBy } from "./read-by.ts";
import type { ParsedSubject, Subjects } from "./subjects.ts";
import { isToken } from "./token.ts";

/** What became of an operator's body; `id` is null when not even that could be read. */
export type ReadControl =
  | { readonly ok: true; readonly request: ControlRequest }
  | {
      readonly ok: false;
      readonly id: string | null;
      readonly why: "malformed" | "version_mismatch" | "unknown_op";
      /** Fields at fault; empty where the whole is. */
      readonly fields: readonly string[];
    };

/** The tokens of the subject on which a session answers an operator. */
export interface ControlAnswerTokens {
  readonly operator: string;
  readonly session: string;
  readonly id: string;
}

/**
 * The subject of a session's answer: in the operator's inbox, with the session as its speaker.
 *
 * @throws RangeError when one of them is not a token.
 */
export function controlAnswerSubject(
  subjects: Subjects,
  { operator, session, id }: ControlAnswerTokens,
): string {
  if (!isToken(session) || !isToken(id)) {
    throw new RangeError("The answer to an operator has a part that is not an encoded token");
  }
  return `${subjects.inbox(operator)}.ctl.${session}.${id}`;
}

/** The subscription that matches every answer to an operator. */
export function controlAnswersTo(subjects: Subjects, operator: string): string {
  return `${subjects.inbox(operator)}.ctl.*.*`;
}

/** The subjects on which a session answers operators: it is the speaker of each. */
export function controlAnswersBy({ prefix }: Subjects, session: string): string {
  if (!isToken(session)) throw new RangeError("A session that answers is no encoded token");
  return `${prefix}.inbox.*.ctl.${session}.*`;
}

/** The speaker and the id of an answer; null for every other subject. */
export function answerTokensOf(
  parsed: ParsedSubject | null,
): Pick<ControlAnswerTokens, "session" | "id"> | null {
  if (parsed?.kind !== "inbox") return null;
  const [ctl, session = "", id = "", ...more] = parsed.rest.split(".");
  if (ctl !== "ctl" || more.length > 0 || !isToken(session) || !CONTROL_ID.test(id)) return null;
  return { session, id };
}

/** Writes an operator's want as the JSON text of its body. */
export function encodeControlRequest({ wants }: ControlRequest): string {
  return JSON.stringify({ v: 1, ...wants });
}

/** Reads what an operator sent as `op`. Frozen; never throws. */
export function readControlRequest(op: string, value: unknown): ReadControl {
  const body = ownObject(value);
  const given = body?.["id"];
  const id = typeof given === "string" && CONTROL_ID.test(given) ? given : null;
  const fault = (why: (ReadControl & { ok: false })["why"], fields: readonly string[] = []) =>
    ({ ok: false, id, why, fields }) as const;
  if (body === null) return fault("malformed");
  if (!isThisRevision(body)) return fault("version_mismatch", ["v"]);
  const known = CONTROL_OPS.find((one) => one === op);
  if (known === undefined) return fault("unknown_op");
  const read = CONTROL_WANTS[known].safeParse(body);
  if (!read.success) return fault("malformed", fieldsOf(read.error.issues));
  return { ok: true, request: Object.freeze({ op: known, wants: read.data }) as ControlRequest };
}

function fieldsOf(issues: readonly { readonly path: readonly PropertyKey[] }[]): readonly string[] {
  return [...new Set(issues.map(({ path }) => String(path[0] ?? "body")))];
}

/** Writes a session's answer as the JSON text of its body. */
export function encodeControlAnswer(id: string, answer: ControlAnswer): string {
  return JSON.stringify({ v: 1, id, ...answer });
}

/** Reads the answer to what was wanted as `op` under `id`; null when it is none. Frozen; never throws. */
export function readControlAnswer(
  { op, id }: { readonly op: ControlOp; readonly id: string },
  bytes: Uint8Array,
): ControlAnswer | null {
  const body = ownObject(readJson(bytes));
  if (body === null || !isThisRevision(body) || body["id"] !== id) return null;
  const kind = Object.hasOwn(body, "refused") ? "refused" : op;
  const read = readBy<object>(CONTROL_ANSWERS[kind], body);
  return read === undefined ? null : (Object.freeze({ op: kind, ...read }) as ControlAnswer);
}

/** Writes an ask as a person is shown it: the text that its digest is taken over. */
export function encodeShownAsk(shown: ShownAsk): string {
  const { session, requestId, askDigest, reprompt, source, agentName } = shown;
  const { payload, surface, value, forwarding, sessionApproval } = shown;
  const head = { session, requestId, askDigest, reprompt, source, agentName };
  return JSON.stringify({ ...head, payload, surface, value, forwarding, sessionApproval });
}

/** Reads that text; null when it is none. Frozen; never throws. */
export function readShownAsk(text: string): ShownAsk | null {
  return readBy(shownAsk, ownObject(readJson(text))) ?? null;
}
