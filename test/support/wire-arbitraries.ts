import fc from "fast-check";
import { ASK_SOURCES, type Ask, MAX_ASK_LIFE_MS } from "../../src/ask/ask.ts";
import {
  ANSWER_WAYS,
  type DecisionSource,
  effectiveDecider,
  MAX_FRAMES,
} from "../../src/ask/decision.ts";
import type { ForwardedAccessFacts } from "../../src/ask/facts.ts";
import { LOST_REASONS } from "../../src/ask/lost.ts";
import type { Cancel, Decision, Presence, Receipt } from "../../src/ask/messages.ts";
import { COMMAND_CONTEXTS, PAYLOAD_KINDS, type PromptPayload } from "../../src/ask/payload.ts";
import type { DecMessage } from "../../src/wire/dec.ts";

/** Well-formed text of every script, control characters too. */
export const someText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "__proto__", "constructor", "a.b", "*", ">", "git push origin main", "🦀"),
);

/** Text that says something. */
export const filledText = someText.filter((text) => text !== "");

const optionalText = fc.option(someText, { nil: null });
const epoch = fc.integer({ min: 0, max: 2 ** 45 });
const nonce = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString("base64url"));
const context = fc.option(fc.constantFrom(...COMMAND_CONTEXTS), { nil: null });

/** A record whose `optional` keys may be left out, never undefined. */
function shape<T, O>(required: { [K in keyof T]: fc.Arbitrary<T[K]> }, optional: O) {
  type Out = T & { [K in keyof O]?: O[K] extends fc.Arbitrary<infer V> ? V : never };
  const keys = Object.keys(required) as never[];
  return fc.record({ ...required, ...optional } as never, {
    requiredKeys: keys,
    noNullPrototype: true,
  }) as fc.Arbitrary<Out>;
}

const payload: fc.Arbitrary<PromptPayload> = fc.record({
  kind: fc.constantFrom(...PAYLOAD_KINDS),
  request: fc.record({
    requester: shape(
      { agentName: optionalText, forwarded: fc.boolean(), sessionId: optionalText },
      { host: someText },
    ),
    surface: someText,
    toolName: optionalText,
    invokedToolName: optionalText,
    value: someText,
    matchedPattern: optionalText,
    commandContext: context,
    executedUnit: optionalText,
  }),
  evidence: fc.array(fc.record({ label: someText, text: someText, detail: optionalText }), {
    maxLength: 3,
  }),
  annotations: fc.array(fc.record({ source: someText, text: someText }), { maxLength: 2 }),
});

const matchValues = fc.array(someText, { maxLength: 3 });

const facts: fc.Arbitrary<ForwardedAccessFacts> = shape(
  { surface: someText, matchValues, boundaryValue: optionalText },
  {
    units: fc.array(fc.record({ value: someText, floor: optionalText, context }), { maxLength: 3 }),
    paths: fc.array(fc.record({ surface: someText, matchValues, boundaryValue: optionalText }), {
      maxLength: 3,
    }),
  },
);

const sessionAndAgent = fc.record({ sessionId: filledText, agentName: filledText });

/** Any ask that a child or a relay may send; its principal is the one who speaks. */
export const someAsk: fc.Arbitrary<Ask> = fc
  .record({
    core: fc.record({
      id: filledText,
      createdAt: epoch,
      life: fc.integer({ min: 1, max: MAX_ASK_LIFE_MS }),
      requesterSessionId: filledText,
      targetSessionId: filledText,
      requesterAgentName: filledText,
      nonce,
      source: fc.constantFrom(...ASK_SOURCES),
    }),
    parts: shape(
      {},
      {
        payload,
        surface: optionalText,
        value: optionalText,
        sessionApproval: fc.record({
          grants: fc.array(fc.record({ surface: filledText, pattern: someText }), {
            minLength: 1,
            maxLength: 3,
          }),
        }),
        origin: sessionAndAgent,
        path: fc.array(filledText, { maxLength: 4 }),
        toolCallId: someText,
        actionDigest: someText,
      },
    ),
    intent: fc.option(fc.record({ facts, requesterCwd: someText })),
  })
  .map(({ core: { life, ...core }, parts, intent }) => {
    const ask = { ...core, expiresAt: core.createdAt + life, ...parts };
    if (intent === null) return ask;
    const sessionId = parts.origin?.sessionId ?? core.requesterSessionId;
    const agentName = parts.origin?.agentName ?? core.requesterAgentName;
    const { requesterCwd } = intent;
    const principal = { sessionId, agentName };
    return { ...ask, accessIntent: { ...intent.facts, requesterCwd, principal } };
  });

const unframed: fc.Arbitrary<DecisionSource> = fc.oneof(
  shape(
    { kind: fc.constant("user" as const), via: fc.constantFrom(...ANSWER_WAYS) },
    { approver: someText },
  ),
  fc.record({
    kind: fc.constant("authorizer" as const),
    name: filledText,
    verdict: fc.constantFrom("allow" as const, "deny" as const),
    reason: optionalText,
  }),
  fc.record({
    kind: fc.constant("rule" as const),
    surface: filledText,
    pattern: optionalText,
    origin: optionalText,
  }),
  shape(
    {
      kind: fc.constant("session_approval" as const),
      surface: filledText,
      pattern: optionalText,
    },
    { grantId: someText },
  ),
  fc.record({ kind: fc.constant("yolo" as const), pattern: optionalText }),
  fc.record({ kind: fc.constant("infrastructure_read" as const) }),
  shape({ kind: fc.constant("unavailable" as const), reason: filledText }, { at: someText }),
  fc.record({ kind: fc.constant("gate_error" as const), reason: filledText }),
);

const frames = fc.array(fc.option(filledText, { nil: null }), { maxLength: MAX_FRAMES });

/** Anybody who can have decided, under up to eight frames. */
export const someDecider: fc.Arbitrary<DecisionSource> = fc
  .record({ inner: fc.option(unframed, { nil: null }), frames })
  .filter(({ inner, frames: around }) => inner !== null || around.length > 0)
  .map(({ inner, frames: around }) =>
    around.reduce<DecisionSource | null>(
      (decision, responderSessionId) => ({ kind: "forwarded", responderSessionId, decision }),
      inner,
    ),
  )
  .filter((source) => source !== null);

const addressed = { requestId: filledText, askDigest: filledText, incarnation: filledText };

/** Whether whoever decided can have approved, refused and approved for the session. */
function powers(source: DecisionSource): { approve: boolean; refuse: boolean; session: boolean } {
  const decider = effectiveDecider(source);
  const person = decider.kind === "user" || decider.kind === "forwarded";
  const link = decider.kind === "authorizer" ? decider.verdict : null;
  const nobody = decider.kind === "unavailable" || decider.kind === "gate_error";
  return { approve: link !== "deny" && !nobody, refuse: link !== "allow", session: person };
}

/** Any decision that agrees with itself. */
export const someDecision: fc.Arbitrary<Decision> = shape(
  {
    ...addressed,
    approve: fc.boolean(),
    wide: fc.boolean(),
    responderSessionId: filledText,
    respondedAt: epoch,
    decidedBy: someDecider,
  },
  {
    denialReason: someText,
    sessionGrantWidth: fc.constantFrom("proven" as const, "family" as const),
    via: fc.array(filledText, { maxLength: 3 }),
  },
).map(({ approve, wide, ...decision }) => {
  const can = powers(decision.decidedBy);
  const approved = can.approve && (approve || !can.refuse);
  const yes = wide && can.session ? "approved_for_session" : "approved";
  const no = wide ? "denied_with_reason" : "denied";
  return { ...decision, approved, state: approved ? yes : no };
});

const acceptedFields = {
  ...addressed,
  state: fc.constantFrom("authorizer" as const, "human" as const, "relayed" as const),
};

/** Any message a parent can send. */
export const someDecMessage: fc.Arbitrary<DecMessage> = fc.oneof(
  fc.record(acceptedFields).map((message) => ({ kind: "accepted" as const, message })),
  fc
    .record({
      ...acceptedFields,
      heldBy: shape({ kind: filledText }, { name: someText, sessionId: someText }),
      ahead: fc.nat(),
    })
    .map((message) => ({ kind: "progress" as const, message })),
  someDecision.map((message) => ({ kind: "decision" as const, message })),
  shape(
    { requestId: filledText, lost: fc.constantFrom(...LOST_REASONS), at: filledText },
    { askDigest: filledText, detail: someText },
  ).map((message) => ({ kind: "refused" as const, message })),
  fc
    .record({
      requestId: filledText,
      effect: fc.constantFrom("withdrawn" as const, "already_decided" as const, "unknown" as const),
    })
    .map((message) => ({ kind: "withdrawn" as const, message })),
);

/** Any receipt. */
export const someReceipt: fc.Arbitrary<Receipt> = fc.record({
  requestId: filledText,
  decisionDigest: filledText,
  effect: fc.constantFrom("applied", "duplicate", "late", "none"),
});

/** Any cancel. */
export const someCancel: fc.Arbitrary<Cancel> = fc.record({
  requestId: filledText,
  why: fc.constantFrom("aborted", "timed_out", "child_restarted", "failover"),
});

/** Any presence. */
export const somePresence: fc.Arbitrary<Presence> = shape(
  {
    session: filledText,
    incarnation: filledText,
    state: fc.constantFrom("up" as const, "closing" as const, "bye" as const),
    serving: fc.boolean(),
    openAsks: fc.nat(),
    record: fc.record({ n: fc.nat(), hash: someText }),
  },
  { successor: filledText },
);
