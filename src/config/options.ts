import { CONTROL_OPS, type ControlOp } from "../ask/control.ts";

/** How strongly a record is bound to its decision. */
export const AUDIT_MODES = ["strict", "spool", "best-effort"] as const;

/** One of {@link AUDIT_MODES}. */
export type AuditMode = (typeof AUDIT_MODES)[number];

/** Whose word counts as a record being kept: the stream's, or that of the service that stores it. */
export const AUDIT_KEEPERS = ["stream", "sink"] as const;

/** One of {@link AUDIT_KEEPERS}. */
export type AuditKeeper = (typeof AUDIT_KEEPERS)[number];

/** A tool that is the shell under another name. */
export interface ShellTool {
  /** Input field that holds the command. */
  readonly commandArgument: string;
  /** Input field that holds the working directory; absent when it has none. */
  readonly workdirArgument?: string;
}

/** A link of the authorizer chain as configured: exactly one of module, command and http. */
export type LinkOptions = LinkPlace & {
  /** Overrides `linkTimeoutMs` for this link, in milliseconds, 1 to 600,000. */
  readonly timeoutMs?: number;
  /** Handed to the link as it stands; JSON-safe. May hold secrets: never printed. */
  readonly options?: Readonly<Record<string, unknown>>;
};

type LinkPlace =
  /** Path of an ES module, from the folder of its file, or `askfabric:guard`. */
  | { readonly module: string }
  /** Program and arguments, run in the folder of its file; asked by JSON on standard input. */
  | { readonly command: readonly string[] }
  /** An `https:` address, or an `http:` one of the loopback. `secretFile` names a file with its bearer token. */
  | { readonly http: string; readonly secretFile?: string };

/**
 * The effective options of a program: compiled once, frozen, every key present. Rules are no option; they are
 * composed of all scopes, see `toPolicySources`.
 */
export interface Options {
  /** Names of links in the order they are asked, each once. @defaultValue [] */
  readonly authorizerChain: readonly string[];
  /** Links by name; a link that is not in the chain is never asked. @defaultValue none */
  readonly links: ReadonlyMap<string, LinkOptions>;
  /** Longest time of one link, in milliseconds, 1 to 600,000. @defaultValue 10000 */
  readonly linkTimeoutMs: number;
  /** Turns every ask of the rules into an allow; a deny stands. @defaultValue false */
  readonly yoloMode: boolean;
  /** Life of an ask, in milliseconds, 1,000 to 86,400,000. @defaultValue 600000 */
  readonly forwardingTimeoutMs: number;
  /** How long 503 alone is borne before the next parent is tried, in milliseconds, 0 to 600,000. @defaultValue 2000 */
  readonly unservedGraceMs: number;
  /** Rows of a dialog, 1 to 10,000; bounds evidence, never the core. @defaultValue 24 */
  readonly promptMaxRows: number;
  /** UTF-16 units of one field of a dialog, 1 to 1,000,000. @defaultValue 400 */
  readonly promptFieldMaxWidth: number;
  /** UTF-16 units of one text of a record, 1 to 1,000,000. @defaultValue 1000 */
  readonly reviewLogFieldMaxWidth: number;
  /** Folders and patterns outside the working directory that any tool may read. @defaultValue [] */
  readonly piInfrastructureReadPaths: readonly string[];
  /** Tools that are the shell besides `bash`, by name. @defaultValue none */
  readonly shellTools: ReadonlyMap<string, ShellTool>;
  /** Input fields that hold paths, by the name of an unknown tool or `server:tool`. @defaultValue none */
  readonly toolPaths: ReadonlyMap<string, readonly string[]>;
  /** @defaultValue "spool" */
  readonly auditMode: AuditMode;
  /** Whose acknowledgement `strict` waits for. @defaultValue "stream" */
  readonly auditAck: AuditKeeper;
  /** Whose word lets a session drop its own copy of a record. @defaultValue "stream" */
  readonly auditKeep: AuditKeeper;
  /** Whether a parent signs its decisions. @defaultValue false */
  readonly signDecisions: boolean;
  /** Names of keys one of which must have signed a decision; empty: none is required. @defaultValue [] */
  readonly requireSigners: readonly string[];
  /** What operators may do at a serving session, each once; empty: nothing. @defaultValue all of it */
  readonly operatorOps: readonly ControlOp[];
  /** Session ids of the parents, tried in this order, each once. @defaultValue [] */
  readonly parents: readonly string[];
  /** Name of the fleet. @defaultValue "default" */
  readonly fleet: string;
  /** 1 to 4 encoded tokens joined by dots; null: `af.v1.` and the fleet. @defaultValue null */
  readonly subjectPrefix: string | null;
}

/** The options when nothing is configured. */
export const DEFAULT_OPTIONS: Options = Object.freeze({
  authorizerChain: Object.freeze([]),
  links: new Map(),
  linkTimeoutMs: 10_000,
  yoloMode: false,
  forwardingTimeoutMs: 600_000,
  unservedGraceMs: 2_000,
  promptMaxRows: 24,
  promptFieldMaxWidth: 400,
  reviewLogFieldMaxWidth: 1_000,
  piInfrastructureReadPaths: Object.freeze([]),
  shellTools: new Map(),
  toolPaths: new Map(),
  auditMode: "spool",
  auditAck: "stream",
  auditKeep: "stream",
  signDecisions: false,
  requireSigners: Object.freeze([]),
  operatorOps: CONTROL_OPS,
  parents: Object.freeze([]),
  fleet: "default",
  subjectPrefix: null,
});
