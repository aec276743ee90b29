import type { Clock, Link, Log, Terminal } from "../ask/ports.ts";
import type { Bus } from "../bus/bus.ts";
import type { Journal } from "../journal/journal.ts";
import type { PolicySources } from "../policy/sources.ts";

/** What a parent is opened with. */
export interface ParentOptions {
  readonly bus: Bus;
  readonly session: string;
  /** Folder of the session's journal. */
  readonly data: string;
  readonly rules: PolicySources;
  /** Decides what rules and links leave open. */
  readonly terminal: Terminal;
  /** Home folder that `~` stands for in this node's rules. */
  readonly home: string;
  /** Whose rules of case and separators this node's path rules follow. @defaultValue the platform it runs on */
  readonly platform?: NodeJS.Platform;
  /** Links by name, and the order in which they are asked. */
  readonly links?: readonly Link[];
  readonly authorizerChain?: readonly string[];
  /** @defaultValue 10000 */
  readonly linkTimeoutMs?: number;
  /** Agent names this node attests, by session. Only for these may agent-scoped rules allow. */
  readonly roster?: ReadonlyMap<string, string>;
  /** Longest text field of a record, in characters. @defaultValue 1000 */
  readonly reviewLogFieldMaxWidth?: number;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Opened already, by a program that runs several roles on it; else opened from `data`. */
  readonly journal?: Journal;
}

/** Where an open ask stands at its parent. */
export interface OpenAsk {
  readonly requestId: string;
  readonly childToken: string;
  readonly surface: string | null;
  readonly value: string | null;
  readonly state: "dormant" | "authorizer" | "human";
  readonly expiresAt: number;
}

/** The serving role of one session. */
export interface Parent extends AsyncDisposable {
  readonly session: string;
  readonly incarnation: string;
  /** Resolves when it stopped serving, with the reason; null after `close`. */
  readonly stopped: Promise<string | null>;
  openAsks(): readonly OpenAsk[];
  /** Judges by other rules from now on, and what is pending and not on screen once more. */
  setRules(rules: PolicySources): void;
  /**
   * Stops taking asks and closes the journal if it opened it, not the bus. `answerOpen`: every open ask is
   * refused as `parent_shut_down` first; else they stay dormant in the journal for the next process.
   */
  close(options?: { readonly answerOpen?: boolean }): Promise<void>;
}
