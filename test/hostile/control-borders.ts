import { CONTROL_OPS, type ControlOp } from "../../src/ask/control.ts";
import { readPubAck } from "../../src/bus/pub-ack.ts";
import { readJsonOnce } from "../../src/wire/body.ts";
import { readControlAnswer, readControlRequest, readShownAsk } from "../../src/wire/control.ts";
import { aPayload } from "../support/asks.ts";
import { type Border, REFUSED, taken } from "./border.ts";

const ID = "i".repeat(22);

const WANTS: Readonly<Record<ControlOp, object>> = {
  list: { after: 1 },
  show: { requestId: "perm-1", from: 0 },
  answer: { requestId: "perm-1", digest: "d", answer: "deny", reason: "no" },
  grants: { after: "g" },
  revoke: { grantId: "g" },
};

const WHERE = { state: "human", heldBy: { kind: "human" }, expiresAt: 1 };

const ANSWERS: Readonly<Record<ControlOp, object>> = {
  list: {
    asks: [
      {
        requestId: "perm-1",
        child: "c",
        agentName: "a",
        since: 1,
        surface: "bash",
        value: "ls",
        ...WHERE,
      },
    ],
    next: 2,
  },
  show: { shown: { requestId: "perm-1", digest: "d", ...WHERE, size: 1, from: 0, text: "x" } },
  answer: {
    answered: {
      requestId: "perm-1",
      decidedBy: { kind: "user", via: "operator", approver: "ann" },
    },
  },
  grants: { grants: [], next: "g" },
  revoke: {
    revoked: {
      grantId: "g",
      requestId: "perm-1",
      surface: "bash",
      pattern: "ls *",
      width: "proven",
      scope: "child_session",
      grantedBy: null,
      grantedAt: 1,
      expiresAt: 2,
      uses: 0,
    },
  },
};

const want = (op: ControlOp): Border => ({
  name: `what an operator wants: ${op}`,
  sound: JSON.stringify({ v: 1, id: ID, ...WANTS[op] }),
  take: (bytes) => {
    const read = readControlRequest(op, readJsonOnce(bytes));
    if (!read.ok) return REFUSED;
    const { request } = read;
    return {
      ...taken(),
      allows: request.op === "answer" && request.wants.answer === "allow",
    };
  },
});

const reply = (op: ControlOp): Border => ({
  name: `what an operator is told: ${op}`,
  sound: JSON.stringify({ v: 1, id: ID, ...ANSWERS[op] }),
  take: (bytes) => (readControlAnswer({ op, id: ID }, bytes) === null ? REFUSED : taken()),
});

const shown: Border = {
  name: "an ask that an operator is shown",
  sound: JSON.stringify({
    session: "boss",
    requestId: "perm-1",
    askDigest: "d",
    reprompt: 0,
    source: "tool_call",
    agentName: "mason",
    payload: aPayload(),
    surface: "bash",
    value: "ls",
    forwarding: { requesterAgentName: "a", requesterSessionId: "c", via: ["r"] },
    sessionApproval: { grants: [{ surface: "bash", pattern: "ls *" }] },
  }),
  take: (bytes) => (readShownAsk(Buffer.from(bytes).toString("utf8")) === null ? REFUSED : taken()),
};

const pubAck: Border = {
  name: "the answer of a stream",
  sound: JSON.stringify({ stream: "AUDIT", seq: 7 }),
  take: (bytes) => {
    const delivery = { subject: "x", data: bytes, header: () => undefined, noResponders: false };
    const { kind } = readPubAck(delivery);
    return kind === "taken" ? taken() : REFUSED;
  },
};

/** Where operators, sessions and streams hear each other. */
export const CONTROL_BORDERS: readonly Border[] = [
  ...CONTROL_OPS.map(want),
  ...CONTROL_OPS.map(reply),
  shown,
  pubAck,
];
