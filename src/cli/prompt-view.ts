import type { PromptPermissionDetails } from "../ask/details.ts";
import type { PromptRequester } from "../ask/payload.ts";
import { renderDialog } from "../render/dialog.ts";
import { visibleText } from "../render/visible-text.ts";
import type { PromptView } from "./stdin-terminal.ts";

/** Budgets of the rows. The complete view has none but the width. */
export interface ViewBudgets {
  readonly width: number;
  readonly maxRows: number;
  readonly fieldMaxWidth: number;
}

/** Renders an ask for whoever reads the lines: nothing in it is invisible or obeyed by a screen. */
export function promptView(
  budgets: ViewBudgets,
): (details: PromptPermissionDetails, full: boolean) => PromptView {
  const { width, maxRows, fieldMaxWidth } = budgets;
  return (details, full) => {
    const { payload } = details;
    const dialog = renderDialog(payload, {
      width,
      maxRows: full ? null : maxRows,
      fieldMaxWidth: full ? null : fieldMaxWidth,
      forwarded: details.forwarding !== null,
      via: details.forwarding?.via ?? [],
    });
    return {
      requester: visibleRequester(payload.request.requester),
      surface: visibleText(details.surface ?? payload.request.surface),
      value: visibleText(details.value ?? payload.request.value),
      title: dialog.title,
      rows: dialog.rows,
      elided: dialog.elided,
      hiddenRows: dialog.hiddenRows,
    };
  };
}

function visibleRequester({
  agentName,
  forwarded,
  sessionId,
  host,
}: PromptRequester): PromptRequester {
  return {
    agentName: agentName === null ? null : visibleText(agentName),
    forwarded,
    sessionId: sessionId === null ? null : visibleText(sessionId),
    ...(host === undefined ? {} : { host: visibleText(host) }),
  };
}
