import type { DecisionSource } from "./decision.ts";
import type { PromptPermissionDetails } from "./details.ts";
import type { Grant, GrantWidth } from "./grant.ts";
import type { HeldBy } from "./messages.ts";
import type { GrantScope, StandingEnd } from "./ports.ts";
import type { RequestId } from "./request-id.ts";

/** What an operator can want of a serving session. Closed list. */
export const CONTROL_OPS = ["list", "show", "answer", "grants", "revoke"] as const;

/** One of {@link CONTROL_OPS}. */
export type ControlOp = (typeof CONTROL_OPS)[number];

/** Names one want of an operator: its repeats carry it too and get the same bytes. */
export const CONTROL_ID = /^[A-Za-z0-9_-]{1,96}$/;

/** Longest body of an operator, in bytes. */
export const MAX_CONTROL_REQUEST_BYTES = 32 * 1024;

/** Longest body of an answer to an operator, in bytes; what is longer comes in parts. */
export const MAX_CONTROL_ANSWER_BYTES = 256 * 1024;

/** Longest reason of a person for a denial, in UTF-16 units. */
export const MAX_REASON_CHARACTERS = 4_000;

/** The open asks of the session, from behind a place that an answer named. */
export interface WantsList {
  readonly id: string;
  readonly after?: number;
}

/** One ask as a person is shown it: its text from `from` on, in UTF-16 units. @defaultValue 0 */
export interface WantsShown {
  readonly id: string;
  readonly requestId: RequestId;
  readonly from?: number;
}

/** A person's answer. The operator who gives it stands in the subject and nowhere else. */
export interface WantsAnswer {
  readonly id: string;
  readonly requestId: RequestId;
  /** Digest of what the person was shown, see {@link ShownPart}. */
  readonly digest: string;
  readonly answer: "allow" | "deny";
  /** With `deny`: told to the agent word for word. */
  readonly reason?: string;
  /** With `allow`: how far it reaches. @defaultValue "once" */
  readonly scope?: GrantScope;
  /** With a scope beyond once, of grants over paths. @defaultValue "proven" */
  readonly width?: GrantWidth;
  /** With `allow`, of an ask whose evidence did not come along whole: says that the person knows. */
  readonly incomplete?: true;
}

/** The grants in force at the session, from behind a key that an answer named. */
export interface WantsGrants {
  readonly id: string;
  readonly after?: string;
}

/** Takes one grant back. */
export interface WantsRevoke {
  readonly id: string;
  readonly grantId: string;
}

/** What an operator wants, by op. */
export type ControlRequest =
  | { readonly op: "list"; readonly wants: WantsList }
  | { readonly op: "show"; readonly wants: WantsShown }
  | { readonly op: "answer"; readonly wants: WantsAnswer }
  | { readonly op: "grants"; readonly wants: WantsGrants }
  | { readonly op: "revoke"; readonly wants: WantsRevoke };

/** Where an open ask stands. Only what is with a person (`human`) can be answered. */
export const OPEN_STATES = ["dormant", "authorizer", "human", "relayed"] as const;

/** One of {@link OPEN_STATES}. */
export type OpenState = (typeof OPEN_STATES)[number];

/** An open ask in short. Texts are visible and cut. */
export interface OpenAskHead {
  readonly requestId: RequestId;
  readonly state: OpenState;
  /** Who is asked at this moment; null while no process has taken it up. */
  readonly heldBy: HeldBy | null;
  /** The session that asked, as the server attests it. */
  readonly child: string;
  /** Name of the agent, a claim. */
  readonly agentName: string;
  /** Present while nothing is heard of the child. */
  readonly childGone?: true;
  /** Epoch milliseconds on the session's clock. */
  readonly since: number;
  readonly expiresAt: number;
  readonly surface: string;
  readonly value: string;
}

/** An ask as a person is shown it, whole. The digest is taken over its JSON text. */
export interface ShownAsk extends Omit<PromptPermissionDetails, "accessIntent"> {
  /** The session that serves it. */
  readonly session: string;
  readonly askDigest: string;
  /** How often it was put to somebody before. */
  readonly reprompt: number;
}

/** A part of the JSON text of a {@link ShownAsk}. */
export interface ShownPart {
  readonly requestId: RequestId;
  /** Base64url SHA-256 of the whole text. */
  readonly digest: string;
  readonly state: OpenState;
  readonly heldBy: HeldBy | null;
  readonly childGone?: true;
  readonly expiresAt: number;
  /** UTF-16 units of the whole text, and before this part. */
  readonly size: number;
  readonly from: number;
  readonly text: string;
}

/** Why a session does not do what an operator wants. */
export const CONTROL_REFUSALS = [
  "malformed",
  "version_mismatch",
  "unknown_op",
  "switched_off",
  "not_an_operator",
  "id_conflict",
  "unknown_request",
  "stale_digest",
  "not_with_a_person",
  "child_gone",
  "ended",
  "unrecorded",
  "view_incomplete",
  "no_grant_suggested",
  "no_width",
  "unknown_grant",
  "failed",
] as const;

/** One of {@link CONTROL_REFUSALS}. */
export type ControlRefusal = (typeof CONTROL_REFUSALS)[number];

/** A want that changed nothing. */
export interface ControlRefused {
  /** One of {@link CONTROL_REFUSALS}, or what a newer session says. */
  readonly why: string;
  /** One sentence for a person. */
  readonly text: string;
  /** With `stale_digest`: that of what stands now. */
  readonly digest?: string;
  /** With `ended`: the end that stands. */
  readonly stands?: StandingEnd;
}

/** What a session answers an operator. */
export type ControlAnswer =
  | {
      readonly op: "list";
      readonly asks: readonly OpenAskHead[];
      /** Present when more follow. */
      readonly next?: number;
    }
  | { readonly op: "show"; readonly shown: ShownPart }
  | {
      readonly op: "answer";
      /** The answer counts: it is on the disk, and its child is told. */
      readonly answered: { readonly requestId: RequestId; readonly decidedBy: DecisionSource };
    }
  | { readonly op: "grants"; readonly grants: readonly Grant[]; readonly next?: string }
  | { readonly op: "revoke"; readonly revoked: Grant }
  | { readonly op: "refused"; readonly refused: ControlRefused };
