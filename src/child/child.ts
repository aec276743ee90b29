import type { HeldBy } from "../ask/messages.ts";
import type { Outcome } from "../ask/outcome.ts";
import type { Clock, Log } from "../ask/ports.ts";
import type { NoteEvent } from "../ask/record.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import type { Bus } from "../bus/bus.ts";
import type { ActiveSkill, PathExtractor, ShellFields } from "../gates/context.ts";
import type { Journal } from "../journal/journal.ts";
import type { PolicySources } from "../policy/sources.ts";

export type {
  ActiveSkill,
  ExtractedPath,
  PathExtractor,
  ShellFields,
} from "../gates/context.ts";
export { JournalError, type JournalErrorCode } from "../journal/journal.ts";
export type {
  PermissionAction,
  PermissionEntry,
  PermissionMap,
  PermissionScope,
  PolicySources,
} from "../policy/sources.ts";

/** What a child is opened with. */
export interface ChildOptions {
  readonly bus: Bus;
  readonly session: string;
  /** The session that answers its asks; null: every ask ends lost as `no_target`. */
  readonly parent: string | null;
  /**
   * Sessions that are asked in this order when nobody serves `parent`, or the server does not let this session ask it,
   * before anybody accepted the ask. @defaultValue []
   */
  readonly otherParents?: readonly string[];
  /** Folder of the session's journal. */
  readonly data: string;
  readonly rules: PolicySources;
  /** @defaultValue "unknown" */
  readonly agentName?: string;
  /** The machine's name as its payloads claim it; absent: not said. */
  readonly host?: string;
  /** Home folder that `~` stands for. */
  readonly home: string;
  /** Life of an ask in milliseconds, 1,000 to 86,400,000. @defaultValue 600000 */
  readonly forwardingTimeoutMs?: number;
  /** How long 503 alone is borne before any `accepted`, in milliseconds. @defaultValue 2000 */
  readonly unservedGraceMs?: number;
  /** Tools that are the shell besides `bash`: by name, or their names where the command is the field `command`. */
  readonly shellTools?: readonly string[] | ReadonlyMap<string, ShellFields>;
  /** Input fields that are paths, by tool name; an MCP call is named `server:tool`. */
  readonly toolPaths?: ReadonlyMap<string, readonly string[]>;
  /** Knows the paths of calls whose tool is neither the shell nor a file tool; asked beside `toolPaths`. */
  readonly extractPaths?: PathExtractor;
  /**
   * The host program's own files, which may be read without asking: folders, or patterns with `*` and `?`;
   * `~` and `$HOME` at the start stand for the home folder.
   */
  readonly infrastructureReadPaths?: readonly string[];
  /** Skills that are active in the session. */
  readonly skills?: readonly ActiveSkill[];
  /** Platform whose rules of paths hold. @defaultValue the one this process runs on */
  readonly platform?: NodeJS.Platform;
  /** Longest text field of a record, in characters. @defaultValue 1000 */
  readonly reviewLogFieldMaxWidth?: number;
  /**
   * Whether the session goes on after this child is closed, as it does where each call is a process of its own: its
   * life does not end then, and its grants stay. @defaultValue false
   */
  readonly sessionGoesOn?: boolean;
  readonly clock?: Clock;
  readonly log?: Log;
  /**
   * Opened already, by a program that runs several roles on it; else opened from `data`.
   *
   * @internal
   */
  readonly journal?: Journal;
}

/** Options of one call. */
export interface DecideOptions {
  /** Aborting takes the ask back; the outcome is then lost as `cancelled`. */
  readonly signal?: AbortSignal;
  /** Overrides the life of this call's asks, in milliseconds. */
  readonly timeoutMs?: number;
}

/** What a person is told about an ask that waits. */
export type Reach = "unserved" | "reachable" | "silent" | "disconnected";

/** An ask of this child that has no outcome yet. */
export interface PendingAsk {
  readonly requestId: string;
  readonly value: string;
  /** The session that is asked now. */
  readonly parent: string;
  readonly reach: Reach;
  /**
   * Who holds it, as the parent says; null before it said so. Of kind `gone` where a relay hears nothing any more of the
   * session that holds it.
   */
  readonly heldBy: HeldBy | null;
  /** Epoch milliseconds since when the parent is gone; null while it is not. */
  readonly parentGoneSince: number | null;
  readonly sinceMs: number;
}

/** The asking role of one session. */
export interface Child extends AsyncDisposable {
  readonly session: string;
  readonly incarnation: string;
  /** Decides one tool call. Never throws; whatever fails inside is an outcome that does not allow. */
  decide(call: ToolCall, options?: DecideOptions): Promise<Outcome>;
  pending(): readonly PendingAsk[];
  /** Judges by other rules from now on. */
  setRules(rules: PolicySources): void;
  /**
   * Writes a review entry of the program itself into the session's outbox. Never throws.
   *
   * @internal
   */
  note(event: NoteEvent, fields: Readonly<Record<string, unknown>>): void;
  /** Cancels what is open, lets those calls end, closes the journal if it opened it. Not the bus. */
  close(): Promise<void>;
}
