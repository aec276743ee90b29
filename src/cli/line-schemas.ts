import { z } from "zod";
import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import { MAX_REASON_CHARACTERS } from "../ask/control.ts";
import { DECISION_STATES, RESOLUTIONS } from "../ask/decision.ts";
import { GRANT_WIDTHS, STANDING_SCOPES } from "../ask/grant.ts";
import { LOST_REASONS } from "../ask/lost.ts";
import { decisionSource } from "../bus/decider-schema.ts";
import { MAX_ID_CHARACTERS, MIN_ASK_LIFE_MS } from "./call-line.ts";
import { ANSWERS, CHECK_STATES } from "./lines.ts";
import { OPERATOR_LINE_SCHEMAS } from "./operator/line-schemas.ts";
import { WITHDRAWALS } from "./withdrawals.ts";

const filled = z.string().min(1);
const count = z.int().min(0);
const millis = z.number().min(0);
const callId = z.union([filled.max(MAX_ID_CHARACTERS), z.number()]);

const call = z
  .strictObject({
    id: callId.exactOptional(),
    toolName: filled.nullable(),
    input: z.record(z.string(), z.unknown()).readonly(),
    cwd: filled.exactOptional(),
    mcp: z.strictObject({ server: filled, tool: filled }).readonly().exactOptional(),
    skill: filled.exactOptional(),
    toolCallId: filled.exactOptional(),
    timeoutMs: z.int().min(MIN_ASK_LIFE_MS).max(MAX_ASK_LIFE_MS).exactOptional(),
  })
  .readonly();

const cancel = z.strictObject({ id: callId, cancel: z.literal(true) }).readonly();

const request = z
  .strictObject({
    requestId: filled,
    surface: z.string(),
    value: z.string(),
    outcome: z.enum(["allowed", "denied", "lost"]),
    lost: z.enum(LOST_REASONS).exactOptional(),
    resolution: z.enum(RESOLUTIONS),
    decidedBy: decisionSource,
    state: z.enum(DECISION_STATES).exactOptional(),
  })
  .readonly();

const ended = {
  id: callId.exactOptional(),
  text: filled,
  waitedMs: millis,
  requests: z.array(request).readonly(),
};

const outcome = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.literal("allowed"), ...ended }).readonly(),
  z.strictObject({ outcome: z.literal("denied"), ...ended }).readonly(),
  z.strictObject({ outcome: z.literal("lost"), lost: z.enum(LOST_REASONS), ...ended }).readonly(),
]);

const error = line({
  error: line({
    code: filled,
    line: z.int().min(1),
    text: filled,
    id: callId.exactOptional(),
    requestId: filled.exactOptional(),
  }),
});

const requester = line({
  agentName: z.string().nullable(),
  forwarded: z.boolean(),
  sessionId: z.string().nullable(),
  host: z.string().exactOptional(),
});

const prompt = line({
  prompt: line({
    requestId: filled,
    requester,
    surface: z.string(),
    value: z.string(),
    title: filled,
    rows: z.array(z.string()).readonly(),
    elided: z.boolean(),
    hiddenRows: count,
    incomplete: z.literal(true).exactOptional(),
    waiting: count,
    expiresAt: millis,

    reprompt: z.int().min(1).exactOptional(),
    full: z.literal(true).exactOptional(),
    grants: z
      .array(line({ surface: filled, pattern: z.string() }))
      .readonly()
      .exactOptional(),
  }),
});

const action = z.enum(["allow", "ask", "deny"]);

const origin = z.enum([
  "global",
  "project",
  "agent",
  "project-agent",
  "builtin",
  "baseline",
  "session",
  "yolo",
  "fail-closed",
]);

const voice = line({
  from: z.enum(["default", "rule", "grant"]),
  surface: z.string(),
  pattern: z.string().nullable(),
  action,
  origin,
  reason: filled.exactOptional(),
  place: filled.exactOptional(),
  grantId: filled.exactOptional(),
  decides: z.boolean(),
});

const readings = z
  .array(
    line({
      kind: z.enum(["value", "unit", "reading", "path"]),
      agent: z.string().nullable(),
      surface: z.string(),
      values: z.array(z.string()).readonly(),
      floor: z.string().nullable(),
      state: action,
      counts: z.boolean(),
      wins: z.boolean(),
      voices: z.array(voice).readonly(),
    }),
  )
  .readonly();

const explained = {
  state: action,
  decidedBy: decisionSource.nullable(),
  readings,
  floor: z.string().nullable(),
  overlays: z.array(filled).readonly(),
};

const grant = line({
  session: z.string(),
  grantId: filled,
  scope: z.enum(STANDING_SCOPES),
  surface: filled,
  pattern: z.string(),
  width: z.enum(GRANT_WIDTHS),
  requestId: filled,
  grantedBy: z.string().nullable(),
  grantedAt: z.number(),
  expiresAt: z.number(),
  uses: count,
});

/** The schema of every line that programs of this package read or print, by the name of its file. */
export const LINE_SCHEMAS = {
  call,
  cancel,
  outcome,
  error,
  ready: line({
    ready: z.literal(true),
    session: filled,
    incarnation: filled,
    parent: filled.exactOptional(),
  }),
  up: line({
    ready: z.literal(true),
    url: filled,
    fleet: filled,
    join: filled,
    data: filled,
    server: filled,
    store: filled,
  }),
  keeping: line({ ready: z.literal(true), url: filled, store: filled, stream: filled }),
  prompt,
  withdrawn: line({
    withdrawn: line({ requestId: filled, why: z.enum(WITHDRAWALS), text: filled }),
  }),
  answered: line({
    answered: line({
      requestId: filled,
      effective: z.boolean(),
      why: filled.exactOptional(),
      text: filled.exactOptional(),
      stands: z.enum(["allowed", "denied", "lost"]).exactOptional(),
      digest: filled.exactOptional(),
    }),
  }),
  answer: line({
    requestId: filled,
    answer: z.enum(ANSWERS),
    reason: z.string().max(MAX_REASON_CHARACTERS).exactOptional(),
    incomplete: z.literal(true).exactOptional(),
    width: z.enum(GRANT_WIDTHS).exactOptional(),
  }),
  show: line({ requestId: filled, show: z.literal("full") }),
  record: line({
    record: line({
      place: count,
      session: z.string(),
      n: count,
      eventId: filled,
      kind: filled,
      event: z.string().nullable(),
      requestId: z.string().nullable(),
      time: z.number(),
      what: z.string(),
      body: z.record(z.string(), z.unknown()).readonly().nullable(),
      story: line({
        step: filled,
        hop: count,
        at: z.number(),
        took: z.number(),
      }).exactOptional(),
    }),
  }),
  story: line({
    story: line({
      requestId: filled,
      result: z.string().nullable(),
      resolution: z.string().nullable(),
      tookMs: z.number(),
      records: count,
      missing: count,
      nodes: z
        .array(
          line({
            session: z.string(),
            hop: count,
            skewMs: z.number().nullable(),
            withinMs: z.number().nullable(),
          }),
        )
        .readonly(),
    }),
  }),
  stories: line({ stories: line({ toolCallId: filled, told: count, asks: count }) }),
  verified: line({
    verified: line({
      session: z.string(),
      records: count,
      firstN: count,
      lastN: count,
      hash: z.string(),
      erased: count,
      faults: z
        .array(
          line({
            fault: filled,
            n: count.exactOptional(),
            fromN: count.exactOptional(),
            toN: count.exactOptional(),
          }),
        )
        .readonly(),
    }),
  }),
  "store-fault": line({
    storeFault: line({
      fault: z.enum(["removed", "dead_letter_changed"]),
      from: z.enum(["records", "dead_letters"]),
      fromPlace: count,
      toPlace: count,
    }),
  }),
  gap: line({ gap: line({ session: z.string(), fromN: count, toN: count }) }),
  "dead-letter": line({
    deadLetter: line({
      place: count,
      fault: filled,
      subject: z.string(),
      headers: z.record(z.string(), z.array(z.string()).readonly()).readonly(),
      data: z.string(),
      takenAt: z.number(),
    }),
  }),
  explained: line({
    explained: line({
      kind: filled,
      surface: z.string(),
      value: z.string(),
      raised: z.boolean(),
      ...explained,
      parent: line(explained),
    }),
  }),
  conclusion: line({
    conclusion: line({
      tool: z.string().nullable(),
      cwd: filled,
      session: z.string(),
      agent: z.string().nullable(),
      child: action,
      parent: action.nullable(),
      text: filled,
    }),
  }),
  grant: line({ grant }),
  revoked: line({ revoked: grant }),
  event: line({
    event: line({
      heardAt: z.number(),
      session: z.string(),
      kind: filled,
      body: z.record(z.string(), z.unknown()).readonly(),
    }),
  }),
  ...OPERATOR_LINE_SCHEMAS,
  check: line({
    check: filled,
    status: z.enum(CHECK_STATES),
    text: filled,
    todo: filled.exactOptional(),
  }),
} as const;

function line<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodReadonly<z.ZodObject<Shape, z.core.$strict>> {
  return z.strictObject(shape).readonly();
}
