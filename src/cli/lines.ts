import type { DecisionSource } from "../ask/decision.ts";
import type { GrantWidth, StandingScope } from "../ask/grant.ts";
import type { Outcome } from "../ask/outcome.ts";
import type { PromptRequester } from "../ask/payload.ts";
import type { StandingEnd } from "../ask/ports.ts";
import type { RuleAction, RuleOrigin } from "../ask/verdict.ts";
import type { Withdrawal } from "./withdrawals.ts";

/** Names one call on the lines of `child`; chosen by the caller, unique among its open calls. */
export type CallId = string | number;

/** A tool call as `child` and `ask --stdin` read it. Unknown keys are refused. */
export interface CallLine {
  /** Required by `child`, absent for `ask --stdin`. */
  readonly id?: CallId;
  /** Null only together with `skill`. */
  readonly toolName: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute; the program's own working directory when absent. */
  readonly cwd?: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly skill?: string;
  readonly toolCallId?: string;
  /** Life of this call's asks in milliseconds, 1,000 to 86,400,000. */
  readonly timeoutMs?: number;
}

/** Takes back an open call of `child`. */
export interface CancelLine {
  readonly id: CallId;
  readonly cancel: true;
}

/** How a call ended. */
export type OutcomeLine = { readonly id?: CallId } & Outcome;

/** A line of input that could not be used; the program lives on. */
export interface ErrorLine {
  readonly error: {
    readonly code: string;
    /** The line of input, counted from 1. */
    readonly line: number;
    readonly text: string;
    /** The call or the ask the line spoke of, when that could be read. */
    readonly id?: CallId;
    readonly requestId?: string;
  };
}

/** `serve` is ready: it takes asks from now on. */
export interface ReadyLine {
  readonly ready: true;
  readonly session: string;
  readonly incarnation: string;
  /** The session that it asks in its turn; absent when it decides itself. */
  readonly parent?: string;
}

/** `up` is ready: its server takes connections and records are kept. No secret stands in it. */
export interface UpLine {
  readonly ready: true;
  readonly url: string;
  readonly fleet: string;
  /** Path of the join file, which holds the token. */
  readonly join: string;
  /** The data folder. */
  readonly data: string;
  /** Version of the server. */
  readonly server: string;
  /** File that records are kept in. */
  readonly store: string;
}

/** `audit run` is ready: it keeps records from now on. */
export interface KeepingLine {
  readonly ready: true;
  readonly url: string;
  readonly store: string;
  /** Name of the stream they come from. */
  readonly stream: string;
}

/** An ask is put to whoever reads the lines of `serve`, or shown once more in full. */
export interface PromptLine {
  readonly prompt: {
    readonly requestId: string;
    readonly requester: PromptRequester;
    /** Display projection, the gate facts where there is none; invisible characters escaped. */
    readonly surface: string;
    readonly value: string;
    readonly title: string;
    readonly rows: readonly string[];
    /** Whether anything was cut or left out. */
    readonly elided: boolean;
    /** Rows of evidence left out of `rows`; `{"requestId","show":"full"}` brings them. */
    readonly hiddenRows: number;
    /** Present when evidence was too large to come along whole; an allow must then say that it knows. */
    readonly incomplete?: true;
    /** Asks that wait behind those on show. */
    readonly waiting: number;
    /** Epoch milliseconds on the serving node's clock. */
    readonly expiresAt: number;
    /** How often this ask was put to somebody before; absent the first time. */
    readonly reprompt?: number;
    /** Present in the answer to `"show":"full"`. */
    readonly full?: true;
    /** Surface and pattern of each grant the session answers would leave; absent when none is offered. */
    readonly grants?: readonly { readonly surface: string; readonly pattern: string }[];
  };
}

/** A prompt is void: its ask ended without this answer. */
export interface WithdrawnLine {
  readonly withdrawn: {
    readonly requestId: string;
    readonly why: Withdrawal;
    /** The same for a person. */
    readonly text: string;
  };
}

/** What an answer did. */
export interface AnsweredLine {
  readonly answered: {
    readonly requestId: string;
    readonly effective: boolean;
    /** With `effective: false`: the name of the refusal, and what to do. */
    readonly why?: string;
    readonly text?: string;
    /** How the ask had ended when the answer came. */
    readonly stands?: StandingEnd["outcome"];
    /** Of an operator's answer to something else than stands: the digest of what does. */
    readonly digest?: string;
  };
}

/** What `serve` prints. */
export type ServeLine = ReadyLine | PromptLine | WithdrawnLine | AnsweredLine | ErrorLine;

/** The answers a person can give. */
export const ANSWERS = ["allow", "allow_for_session", "allow_for_serving_session", "deny"] as const;

/** One of {@link ANSWERS}. */
export type Answer = (typeof ANSWERS)[number];

/** An answer on the standard input of `serve`. */
export interface AnswerLine {
  readonly requestId: string;
  readonly answer: Answer;
  /** Told to the agent word for word when the answer is `deny`; otherwise kept nowhere. */
  readonly reason?: string;
  /** Confirms that the prompt was `incomplete`; an allow of such an ask needs it. */
  readonly incomplete?: true;
  /** With a session answer about paths: `family` grants both directions, `proven` the one that was asked. */
  readonly width?: GrantWidth;
}

/** Asks `serve` for the complete view of a prompt. */
export interface ShowLine {
  readonly requestId: string;
  readonly show: "full";
}

/** How a check of `doctor` came out. */
export const CHECK_STATES = ["ok", "warn", "fail", "skipped"] as const;

/** One thing `doctor` looked at. */
export interface CheckLine {
  readonly check: string;
  readonly status: (typeof CHECK_STATES)[number];
  readonly text: string;
  /** What to do about it; present unless all is well. */
  readonly todo?: string;
}

/** A record as `audit list` shows it, and as `audit trace` shows it in its place. */
export interface RecordLine {
  readonly record: {
    /** Order in which it came into the store. */
    readonly place: number;
    readonly session: string;
    /** Place in the session's chain. */
    readonly n: number;
    readonly eventId: string;
    readonly kind: string;
    readonly event: string | null;
    readonly requestId: string | null;
    /** Epoch milliseconds on the session's clock. */
    readonly time: number;
    /** One line for a person. */
    readonly what: string;
    /** Null where it was erased. */
    readonly body: Readonly<Record<string, unknown>> | null;
    /** Its place in the story; present in `audit trace` alone. */
    readonly story?: {
      readonly step: string;
      readonly hop: number;
      /** Milliseconds since the story began, by the clock of the session that asked first. */
      readonly at: number;
      /** Milliseconds since the last record that caused it; below 0 where clocks differ unmeasured. */
      readonly took: number;
    };
  };
}

/** The end of one story of `audit trace`. */
export interface StoryLine {
  readonly story: {
    readonly requestId: string;
    /** Null while the session that asked first has not said how it ended. */
    readonly result: string | null;
    readonly resolution: string | null;
    readonly tookMs: number;
    readonly records: number;
    /** Records that are missing between those shown. */
    readonly missing: number;
    readonly nodes: readonly {
      readonly session: string;
      readonly hop: number;
      readonly skewMs: number | null;
      readonly withinMs: number | null;
    }[];
  };
}

/** How many asks of a tool call there are when `audit trace` does not tell all of them; its last line then. */
export interface StoriesLine {
  readonly stories: { readonly toolCallId: string; readonly told: number; readonly asks: number };
}

/** What `audit verify` found about one session. */
export interface VerifiedLine {
  readonly verified: {
    readonly session: string;
    readonly records: number;
    readonly firstN: number;
    readonly lastN: number;
    /** Base64url SHA-256 of the last header, as the session's heartbeat tells it. */
    readonly hash: string;
    readonly erased: number;
    readonly faults: readonly {
      readonly fault: string;
      readonly n?: number;
      readonly fromN?: number;
      readonly toN?: number;
    }[];
  };
}

/** What `audit verify` and `audit gaps` found that belongs to no one session. */
export interface StoreFaultLine {
  readonly storeFault: {
    /** `removed`: rows that were kept are gone; `dead_letter_changed`: a message is not the one that came. */
    readonly fault: "removed" | "dead_letter_changed";
    readonly from: "records" | "dead_letters";
    /** Places in the order in which rows came into the store. */
    readonly fromPlace: number;
    readonly toPlace: number;
  };
}

/** Records that are missing, as `audit gaps` names them. */
export interface GapLine {
  readonly gap: { readonly session: string; readonly fromN: number; readonly toN: number };
}

/** A message that was set aside, as `audit dead-letters` shows it. */
export interface DeadLetterLine {
  readonly deadLetter: {
    readonly place: number;
    readonly fault: string;
    readonly subject: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    /** Base64 of what was published. */
    readonly data: string;
    /** Epoch milliseconds at which the server took it. */
    readonly takenAt: number;
  };
}

/** One rule, grant or default that has a say on a reading, as `explain` shows it. */
export interface VoiceLine {
  readonly from: "default" | "rule" | "grant";
  /** As it is written; the surface that was asked for the default. */
  readonly surface: string;
  /** Null for the default. */
  readonly pattern: string | null;
  readonly action: RuleAction;
  readonly origin: RuleOrigin;
  /** The reason a deny gives; absent when it gives none. */
  readonly reason?: string;
  /** `file:line:column`; absent for what stands in no file. */
  readonly place?: string;
  readonly grantId?: string;
  /** Whether it decides its reading. */
  readonly decides: boolean;
}

/** One text or thing that rules were matched against, as `explain` shows it. */
export interface ReadingLine {
  readonly kind: "value" | "unit" | "reading" | "path";
  /** The agent whose rules are read; null: everybody's. */
  readonly agent: string | null;
  readonly surface: string;
  readonly values: readonly string[];
  /** The sentinel that turns its allow into an ask. */
  readonly floor: string | null;
  readonly state: RuleAction;
  /** False for a reading that could not have decided, whatever it says. */
  readonly counts: boolean;
  /** True for the one that decided. */
  readonly wins: boolean;
  /** From lowest to highest. */
  readonly voices: readonly VoiceLine[];
}

/** One request of a call, explained. */
export interface ExplainedLine {
  readonly explained: {
    /** The kind of its payload. */
    readonly kind: string;
    readonly surface: string;
    readonly value: string;
    /** False for a gate that stays silent, because no rule of its own speaks. */
    readonly raised: boolean;
    readonly state: RuleAction;
    /** Null when the child's rules leave it open. */
    readonly decidedBy: DecisionSource | null;
    readonly readings: readonly ReadingLine[];
    /** `<incomplete-facts>` when that turned an allow into an ask. */
    readonly floor: string | null;
    readonly overlays: readonly string[];
    /** What a parent would make of it, if it were asked. */
    readonly parent: {
      readonly state: RuleAction;
      readonly decidedBy: DecisionSource | null;
      readonly floor: string | null;
      readonly overlays: readonly string[];
      readonly readings: readonly ReadingLine[];
    };
  };
}

/** What the whole call comes to: the last line of `explain`. */
export interface ConclusionLine {
  readonly conclusion: {
    readonly tool: string | null;
    readonly cwd: string;
    readonly session: string;
    readonly agent: string | null;
    /** `ask`: the requests that ask are put to the parent. */
    readonly child: RuleAction;
    /** `ask`: its links, then a person decide. Null when it is not asked. */
    readonly parent: RuleAction | null;
    readonly text: string;
  };
}

/** A grant in force, as `grants list` shows it. */
export interface GrantLine {
  readonly grant: {
    /** The session whose journal keeps it. */
    readonly session: string;
    readonly grantId: string;
    /** Whose calls it lets run: those of this session, or those of every session that this one serves. */
    readonly scope: StandingScope;
    readonly surface: string;
    readonly pattern: string;
    readonly width: GrantWidth;
    /** The ask whose approval left it behind. */
    readonly requestId: string;
    readonly grantedBy: string | null;
    /** Epoch milliseconds. */
    readonly grantedAt: number;
    readonly expiresAt: number;
    /** Calls it has let run. */
    readonly uses: number;
  };
}

/** A grant that `grants revoke` has revoked; what it let run before stands. */
export interface RevokedLine {
  readonly revoked: GrantLine["grant"];
}

/** A live event, as `watch` shows it. */
export interface EventLine {
  readonly event: {
    /** Epoch milliseconds at which it was heard. */
    readonly heardAt: number;
    readonly session: string;
    readonly kind: string;
    readonly body: Readonly<Record<string, unknown>>;
  };
}
