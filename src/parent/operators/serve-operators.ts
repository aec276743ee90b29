import type { ControlAnswer, ControlOp, ControlRequest } from "../../ask/control.ts";
import type { Bus } from "../../bus/bus.ts";
import { type ControlInbound, openControlLine } from "../../bus/control-line.ts";
import { sessionToken } from "../../bus/tokens.ts";
import type { Serving } from "../serving.ts";
import { answerAsk } from "./answer.ts";
import { openAnswerMemory } from "./answer-memory.ts";
import { listGrants, revoke } from "./grants.ts";
import { listAsks } from "./list.ts";
import { ACTS, type Operator, type OperatorDesk, refuse } from "./operator.ts";
import { noteRefusals } from "./refusals.ts";
import { showAsk } from "./show.ts";

/** What operators are served with. */
export interface OperatorOptions {
  readonly bus: Bus;
  /** What they may do; empty: nothing. */
  readonly ops: readonly ControlOp[];
}

/** What was done for operators, until it is closed. */
export interface Operators {
  /** Lets them do this from now on, and no more. */
  setOps(ops: readonly ControlOp[]): void;
  dropped(): Readonly<Record<string, number>>;
  close(): void;
}

/** Acts change something: their answers are kept far longer than what was only read. */
const KEPT_ACTS = { answers: 4_096, characters: 4 * 1024 * 1024 };
const KEPT_READS = { answers: 64, characters: 2 * 1024 * 1024 };

/** Serves operators from now on. Whatever fails, the next want is served. */
export function serveOperators(serving: Serving, { bus, ops }: OperatorOptions): Operators {
  const line = openControlLine({
    bus,
    session: serving.session,
    log: serving.log,
    onInbound: (inbound) => take(inbound),
  });
  const desk: OperatorDesk = { serving, line, shownTo: new Set() };
  const acts = openAnswerMemory(KEPT_ACTS);
  const reads = openAnswerMemory(KEPT_READS);
  let allowed: ReadonlySet<string> = new Set(ops);
  const refusals = noteRefusals(serving);

  function take(inbound: ControlInbound): void {
    const { operatorToken, op, digest, read } = inbound;
    const id = read.ok ? read.request.wants.id : read.id;
    if (id === null) return refusals.note(inbound, refuse("malformed").refused);
    const memory = ACTS.has(op as ControlOp) ? acts : reads;
    const known = memory.find(operatorToken, id);
    const to = { operatorToken, id };
    if (known !== null) {
      const body = known.digest === digest ? known.body : conflict(inbound, id);
      return void line.send(to, body);
    }
    const answer = attempt(inbound);
    if (answer.op === "refused") refusals.note(inbound, answer.refused);
    const body = line.encode(id, answer);
    if (!isPassing(answer)) memory.keep(operatorToken, id, { digest, body });
    line.send(to, body);
  }

  function conflict(inbound: ControlInbound, id: string): string {
    const answer = refuse("id_conflict");
    refusals.note(inbound, answer.refused);
    return line.encode(id, answer);
  }

  function attempt(inbound: ControlInbound): ControlAnswer {
    try {
      return answerTo(inbound);
    } catch (error) {
      serving.counters.count("failed");
      serving.log.error({ err: error, op: inbound.op }, "what an operator wants failed");
      return refuse("failed");
    }
  }

  function answerTo({ operator: name, operatorToken: token, op, read }: ControlInbound) {
    if (isSession(serving, token)) return refuse("not_an_operator");
    if (!read.ok) {
      const { why, fields } = read;
      const named = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
      const { text } = refuse(why).refused;
      return refuse(why, { text: text.replace(";", `${named};`) });
    }
    return allowed.has(op) ? perform(desk, { name, token }, read.request) : refuse("switched_off");
  }

  return {
    setOps: (others) => {
      allowed = new Set(others);
    },
    dropped: () => line.dropped(),
    close: () => line.close(),
  };
}

/** The next try may come out differently. */
const isPassing = (answer: ControlAnswer): boolean =>
  answer.op === "refused" && answer.refused.why === "failed";

function perform(desk: OperatorDesk, by: Operator, { op, wants }: ControlRequest): ControlAnswer {
  switch (op) {
    case "list":
      return listAsks(desk, wants);
    case "show":
      return showAsk(desk, by, wants);
    case "answer":
      return answerAsk(desk, by, wants);
    case "grants":
      return listGrants(desk, wants);
    case "revoke":
      return revoke(desk, by, wants);
  }
}

/** Whether the name is that of a session that is known here: such a one cannot be an operator. */
function isSession(serving: Serving, token: string): boolean {
  const { session, upstream, successor, roster, children } = serving;
  const named = [session, upstream?.session ?? session, successor ?? session, ...roster.keys()];
  return children.knows(token) || named.some((one) => sessionToken(one) === token);
}
