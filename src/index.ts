/**
 * The public names of askfabric, one by one: connect to a fleet, ask as a child, answer as a parent.
 *
 * @packageDocumentation
 */
export { ASK_SOURCES, type AskSource } from "./ask/ask.ts";
export { CONTROL_OPS, type ControlOp } from "./ask/control.ts";
export {
  ANSWER_WAYS,
  type AnswerWay,
  DECISION_STATES,
  type DecisionSource,
  type DecisionState,
  effectiveDecider,
  RESOLUTIONS,
  type Resolution,
  type Ruling,
} from "./ask/decision.ts";
export type { Forwarding, PromptPermissionDetails } from "./ask/details.ts";
export type {
  AccessPath,
  AccessUnit,
  AskOrigin,
  ForwardedAccessFacts,
  ForwardedAccessIntent,
} from "./ask/facts.ts";
export {
  GRANT_WIDTHS,
  type GrantPattern,
  type GrantSuggestion,
  type GrantWidth,
} from "./ask/grant.ts";
export { isLostReason, LOST_REASONS, type LostReason } from "./ask/lost.ts";
export type { HeldBy } from "./ask/messages.ts";
export type { Outcome, RequestOutcome } from "./ask/outcome.ts";
export {
  COMMAND_CONTEXTS,
  type CommandContext,
  PAYLOAD_KINDS,
  type PayloadKind,
  type PromptAnnotation,
  type PromptEvidence,
  type PromptPayload,
  type PromptRequester,
  type PromptRequestFacts,
} from "./ask/payload.ts";
export type {
  Clock,
  CreateLink,
  GrantScope,
  Link,
  LinkQuery,
  LinkRuleAnswer,
  LinkSetup,
  LinkVerdict,
  Log,
  RulingEffect,
  StandingEnd,
  Terminal,
  TerminalAnswer,
  TerminalAsk,
} from "./ask/ports.ts";
export type { RequestId } from "./ask/request-id.ts";
export type { ToolCall } from "./ask/tool-call.ts";
export type { Bus } from "./bus/bus.ts";
export { BusError, type BusErrorCode } from "./bus/bus-error.ts";
export { connect } from "./bus/connect.ts";
export type { BusTls, ConnectOptions } from "./bus/connect-options.ts";
export type { Credentials, Secret } from "./bus/credentials.ts";
export {
  type ActiveSkill,
  type Child,
  type ChildOptions,
  type DecideOptions,
  type ExtractedPath,
  JournalError,
  type JournalErrorCode,
  type PathExtractor,
  type PendingAsk,
  type PermissionAction,
  type PermissionEntry,
  type PermissionMap,
  type PermissionScope,
  type PolicySources,
  type Reach,
  type ShellFields,
} from "./child/child.ts";
export { openChild } from "./child/open-child.ts";
export { denyTerminal } from "./parent/deny-terminal.ts";
export {
  type OpenAsk,
  openParent,
  type Parent,
  type ParentLinks,
  type ParentOptions,
} from "./parent/parent.ts";
