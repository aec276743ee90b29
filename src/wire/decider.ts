import { z } from "zod";
import { ANSWER_WAYS, type DecisionSource, MAX_FRAMES } from "../ask/decision.ts";
import { ownData } from "./body.ts";
import { readBy } from "./read-by.ts";
import { filledText, text } from "./text.ts";

const user = z
  .object({
    kind: z.literal("user"),
    via: z.enum(ANSWER_WAYS),
    approver: text.exactOptional(),
  })
  .readonly();

const authorizer = z
  .object({
    kind: z.literal("authorizer"),
    name: filledText,
    verdict: z.enum(["allow", "deny"]),
    reason: text.nullable(),
  })
  .readonly();

const rule = z
  .object({
    kind: z.literal("rule"),
    surface: filledText,
    pattern: text.nullable(),
    origin: text.nullable(),
  })
  .readonly();

const sessionApproval = z
  .object({
    kind: z.literal("session_approval"),
    surface: filledText,
    pattern: text.nullable(),
    grantId: text.exactOptional(),
  })
  .readonly();

const yolo = z.object({ kind: z.literal("yolo"), pattern: text.nullable() }).readonly();

const infrastructureRead = z.object({ kind: z.literal("infrastructure_read") }).readonly();

const unavailable = z
  .object({ kind: z.literal("unavailable"), reason: filledText, at: text.exactOptional() })
  .readonly();

const gateError = z.object({ kind: z.literal("gate_error"), reason: filledText }).readonly();

const forwarded = z
  .object({
    kind: z.literal("forwarded"),
    responderSessionId: filledText.nullable(),
    get decision(): z.ZodNullable<z.ZodType<DecisionSource>> {
      return z.nullable(decisionSource);
    },
  })
  .readonly();

/** Who decided, at any number of frames; {@link parseDecidedBy} counts them. */
export const decisionSource = z.discriminatedUnion("kind", [
  user,
  authorizer,
  rule,
  sessionApproval,
  yolo,
  infrastructureRead,
  unavailable,
  gateError,
  forwarded,
]);

/**
 * Reads who decided, all or nothing; null when anything is missing, unknown or malformed, or under more than
 * {@link MAX_FRAMES} frames. Frozen; never throws.
 */
export function parseDecidedBy(value: unknown): DecisionSource | null {
  const source = readBy(decisionSource, ownData(value));
  return source === undefined || isTooDeep(source) ? null : source;
}

/** Says whether a decider stands under more frames than an ask can have hops. */
export function isTooDeep(source: DecisionSource): boolean {
  let frames = 0;
  let inner: DecisionSource | null = source;
  while (inner?.kind === "forwarded") {
    frames += 1;
    inner = inner.decision;
  }
  return frames > MAX_FRAMES;
}
