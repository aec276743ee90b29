/** The kinds of permission request a payload can describe. Closed list, compared exactly. */
export const PAYLOAD_KINDS = [
  "bash",
  "mcp",
  "tool",
  "path",
  "external_directory",
  "bash_external_directory",
  "skill",
  "skill_read",
  "forwarded",
] as const;

/** One of {@link PAYLOAD_KINDS}; `forwarded` is made by a serving node only, when no usable payload came. */
export type PayloadKind = (typeof PAYLOAD_KINDS)[number];

/** Where in a shell command a unit runs. Closed list. */
export const COMMAND_CONTEXTS = [
  "command_substitution",
  "process_substitution",
  "subshell",
] as const;

/** One of {@link COMMAND_CONTEXTS}. */
export type CommandContext = (typeof COMMAND_CONTEXTS)[number];

/** Who asks. Local: `forwarded` is false and `sessionId` is null; the serving node stamps it anew. */
export interface PromptRequester {
  readonly agentName: string | null;
  readonly forwarded: boolean;
  readonly sessionId: string | null;
  /** The machine the requester says it runs on. A claim; absent when it says nothing. */
  readonly host?: string;
}

/** The core of a payload: the facts no rendering may leave out. */
export interface PromptRequestFacts {
  readonly requester: PromptRequester;
  /** The gate surface the rule fired on, as opposed to the display surface. */
  readonly surface: string;
  /** Null for skill asks and degraded forwards. */
  readonly toolName: string | null;
  /** The name that was called when an alias re-exposes the shell; null when it equals `toolName`. */
  readonly invokedToolName: string | null;
  /** What the decision is about, complete and as it was typed. */
  readonly value: string;
  /** Rule pattern or floor sentinel; null when only the universal default fired. */
  readonly matchedPattern: string | null;
  readonly commandContext: CommandContext | null;
  /** What really runs inside a wrapper; null when there is no wrapper. */
  readonly executedUnit: string | null;
}

/** One labelled piece of what a decider may want to see. Goes to links and people only. */
export interface PromptEvidence {
  readonly label: string;
  readonly text: string;
  readonly detail: string | null;
}

/** Advice about an ask from a model; never a verdict, never shown to the agent. */
export interface PromptAnnotation {
  readonly source: string;
  readonly text: string;
}

/** A permission request as its deciders see it, complete: cutting belongs to renderings, never to the payload. */
export interface PromptPayload {
  readonly kind: PayloadKind;
  readonly request: PromptRequestFacts;
  /** In the order of the kind's table in the contract; empty when there is none. */
  readonly evidence: readonly PromptEvidence[];
  readonly annotations: readonly PromptAnnotation[];
}
