import type { CommandContext } from "./payload.ts";

/** One command unit of a shell call, as written, with the floor that its shape imposes. */
export interface AccessUnit {
  readonly value: string;
  /** Floor sentinel such as `<opaque-bash-wrapper>`; null when an allow may stand. */
  readonly floor: string | null;
  readonly context: CommandContext | null;
}

/** One path token of a call, computed on the machine that will run it. */
export interface AccessPath {
  /** `path_read`, `path_write`, `external_directory_read`, `external_directory_write` or a bare family name. */
  readonly surface: string;
  /** Aliases: absolute, relative to the working directory, canonical; each once. */
  readonly matchValues: readonly string[];
  readonly boundaryValue: string | null;
}

/**
 * What rules are matched against. Fixed by the child; no other node derives any of it again.
 * On the wire and for links only: never in a live event.
 */
export interface ForwardedAccessFacts {
  readonly surface: string;
  /** Most specific first; a shell ask holds the deciding unit. */
  readonly matchValues: readonly string[];
  /** Canonical path of a path-shaped request, null for every other. */
  readonly boundaryValue: string | null;
  /** Every command unit of a shell ask; absent for other asks and from old children. */
  readonly units?: readonly AccessUnit[];
  /** Every path token of the call; absent when nothing was said about paths. */
  readonly paths?: readonly AccessPath[];
}

/** Access facts as they cross the wire, bound to the one who states them. */
export interface ForwardedAccessIntent extends ForwardedAccessFacts {
  /** Working directory at the child. Wire only: no link, event or record carries it. */
  readonly requesterCwd: string;
  /** Must equal the requester (a relayed ask: the origin), else the whole intent is absent. Wire only. */
  readonly principal: AskOrigin;
}

/** The session an ask began at. Filled by a relay as its server and roster attest it. */
export interface AskOrigin {
  readonly sessionId: string;
  readonly agentName: string;
}
