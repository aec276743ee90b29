import { isIncomplete } from "../ask/carried.ts";
import type { PayloadKind, PromptPayload } from "../ask/payload.ts";

/** One core fact with its label. */
export interface CoreFact {
  readonly label: string;
  readonly value: string;
}

const TITLES: Readonly<Record<PayloadKind, string>> = {
  bash: "Allow this command?",
  mcp: "Allow this MCP call?",
  tool: "Allow this tool call?",
  path: "Allow access to this path?",
  external_directory: "Allow access outside the folder?",
  bash_external_directory: "Allow a command outside the folder?",
  skill: "Allow this skill?",
  skill_read: "Allow reading this skill?",
  forwarded: "Allow this, without its details?",
};

/** The title of a dialog, with a suffix when the ask came from another session. */
export function dialogTitle(kind: PayloadKind, forwarded: boolean): string {
  return forwarded ? `${TITLES[kind]} (subagent)` : TITLES[kind];
}

/**
 * The core of a payload as labelled facts, in the order requester, tool, surface, rule, value, runs, context; then
 * whether evidence is missing, which nobody should overlook.
 * `via`: the sessions that relayed it. A fact that is null has no line, but requester, rule and value always have one.
 */
export function coreFacts(
  payload: PromptPayload,
  via: readonly string[] = [],
): readonly CoreFact[] {
  const { request, kind } = payload;
  const { requester } = request;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ["requester", requester.agentName ?? "(no name)"],
    ["session", requester.sessionId],
    ["through", via.length === 0 ? null : via.join(", ")],
    ["host", requester.host],
    ["tool", request.toolName],
    ["called as", request.invokedToolName],
    ["surface", request.surface === "" ? "(not said)" : request.surface],
    ["rule", request.matchedPattern ?? (kind === "forwarded" ? "(not said)" : "(default)")],
    ["value", request.value === "" ? "(empty)" : request.value],
    ["runs", request.executedUnit],
    ["context", request.commandContext],
    [
      "missing",
      isIncomplete(payload) ? "parts of the evidence were too large to come along" : null,
    ],
  ];
  return facts.flatMap(([label, value]) =>
    value === null || value === undefined ? [] : [{ label, value }],
  );
}
