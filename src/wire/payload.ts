import { z } from "zod";
import { COMMAND_CONTEXTS, PAYLOAD_KINDS, type PromptPayload } from "../ask/payload.ts";
import { ownData } from "./body.ts";
import { readBy } from "./read-by.ts";
import { text } from "./text.ts";

/** Where a unit of a shell command runs; null when it runs in the open. */
export const commandContext = z.enum(COMMAND_CONTEXTS).nullable();

const requester = z
  .object({
    agentName: text.nullable(),
    forwarded: z.boolean(),
    sessionId: text.nullable(),
    host: text.exactOptional(),
  })
  .readonly();

/** The core facts of a payload. */
export const promptRequestFacts = z
  .object({
    requester,
    surface: text,
    toolName: text.nullable(),
    invokedToolName: text.nullable(),
    value: text,
    matchedPattern: text.nullable(),
    commandContext,
    executedUnit: text.nullable(),
  })
  .readonly();

const evidence = z.object({ label: text, text, detail: text.nullable() }).readonly();
const annotation = z.object({ source: text, text }).readonly();

/** A payload, all or nothing; unknown extra properties are dropped at every level. */
export const promptPayload = z
  .object({
    kind: z.enum(PAYLOAD_KINDS),
    request: promptRequestFacts,
    evidence: z.array(evidence).readonly(),
    annotations: z.array(annotation).readonly(),
  })
  .readonly();

/** Reads a payload; null when anything in it is missing or malformed. Frozen; never throws. */
export function parsePayload(value: unknown): PromptPayload | null {
  return readBy(promptPayload, ownData(value)) ?? null;
}
