import type { Ask } from "../../../src/ask/ask.ts";
import type { PromptPermissionDetails } from "../../../src/ask/details.ts";
import type { PromptPayload } from "../../../src/ask/payload.ts";
import { boundRecord } from "../../../src/render/bound-record.ts";
import { buildDetails } from "../../../src/render/details.ts";
import { type DialogOptions, renderDialog } from "../../../src/render/dialog.ts";
import {
  buildServedDecision,
  buildUiPrompt,
  type ServedDecision,
} from "../../../src/render/live-events.ts";
import { type Refusal, refusalText } from "../../../src/render/refusal.ts";
import { visibleText } from "../../../src/render/visible-text.ts";
import type { Ops } from "./ops.ts";

interface RecordInput {
  record: Record<string, unknown>;
  maxWidth?: number;
}

interface ServedInput {
  details: PromptPermissionDetails;
  decision: ServedDecision;
}

/** Operations on the render room. */
export const renderOps: Ops = {
  buildDetails: ({ ask }: { ask: Ask }) => buildDetails(ask),
  buildUiPrompt: ({ details }: { details: PromptPermissionDetails }) => buildUiPrompt(details),
  buildServedDecision: ({ details, decision }: ServedInput) =>
    buildServedDecision(details, decision),
  renderDialog: ({ payload, ...options }: DialogOptions & { payload: PromptPayload }) =>
    renderDialog(payload, options),
  visibleText: ({ text }: { text: string }) => ({ text: visibleText(text) }),
  refusalText: ({ payload, ...refusal }: Refusal & { payload: PromptPayload }) => ({
    text: refusalText(payload, refusal as Refusal),
  }),
  boundRecord: ({ record, ...options }: RecordInput) => ({ record: boundRecord(record, options) }),
};
