import { CONTROL_OPS, type ControlOp } from "../ask/control.ts";
import { SILENT_LOG, SYSTEM_CLOCK } from "../ask/defaults.ts";
import type { Clock, Link, Log, Terminal } from "../ask/ports.ts";
import type { NoteEvent } from "../ask/record.ts";
import type { Upstream } from "../ask/upstream.ts";
import type { Bus } from "../bus/bus.ts";
import type { Journal, JournalWrites } from "../journal/journal.ts";
import { openJournal } from "../journal/open-journal.ts";
import { composePolicy } from "../policy/compose-policy.ts";
import { prepareJudging } from "../policy/prepare-judging.ts";
import type { PolicySources } from "../policy/sources.ts";
import { DEFAULT_RECORD_WIDTH } from "../render/bound-record.ts";
import { judgeAllAgain } from "./answer-by-rules.ts";
import { listOpenAsks, type OpenAsk } from "./open-asks.ts";
import { openServing } from "./open-serving.ts";
import { type Operators, serveOperators } from "./operators/serve-operators.ts";
import { plainEntry } from "./records.ts";
import type { ChainOptions, Serving } from "./serving.ts";
import { beginLife } from "./serving-life.ts";

/** What a parent is opened with. */
export interface ParentOptions {
  readonly bus: Bus;
  readonly session: string;
  /** Folder of the session's journal. */
  readonly data: string;
  readonly rules: PolicySources;
  /** Decides what rules and links leave open. */
  readonly terminal: Terminal;
  /**
   * Opens the way to this session's own parent on its journal. With it the session relays: what its rules leave open
   * is put to that parent, and neither link nor terminal is asked here. Closed with the parent.
   *
   * @internal
   */
  readonly upstream?: (journal: Journal) => Promise<Upstream<JournalWrites>>;
  /** Home folder that `~` stands for in this node's rules. */
  readonly home: string;
  /** Whose rules of case and separators this node's path rules follow. @defaultValue the platform it runs on */
  readonly platform?: NodeJS.Platform;
  /** Links, and the order in which they are asked. Only those that the chain names are. */
  readonly links?: readonly Link[];
  readonly authorizerChain?: readonly string[];
  /** @defaultValue 10000 */
  readonly linkTimeoutMs?: number;
  /** Agent names this node attests, by session. Only for these may agent-scoped rules allow. */
  readonly roster?: ReadonlyMap<string, string>;
  /** Longest text field of a record, in characters. @defaultValue 1000 */
  readonly reviewLogFieldMaxWidth?: number;
  /**
   * What operators may do here from afar: who one is, the server's access lists say. Empty: nothing.
   *
   * @defaultValue all of {@link CONTROL_OPS}
   */
  readonly operatorOps?: readonly ControlOp[];
  readonly clock?: Clock;
  readonly log?: Log;
  /**
   * Opened already, by a program that runs several roles on it; else opened from `data`.
   *
   * @internal
   */
  readonly journal?: Journal;
}

/** Links of a parent, and the order in which they are asked; what is absent is as in {@link ParentOptions}. */
export type ParentLinks = Pick<ParentOptions, "links" | "authorizerChain" | "linkTimeoutMs">;

export type { OpenAsk } from "./open-asks.ts";

/** The serving role of one session. */
export interface Parent extends AsyncDisposable {
  readonly session: string;
  readonly incarnation: string;
  /** Resolves when it stopped serving, with the reason; null after `close`. */
  readonly stopped: Promise<string | null>;
  openAsks(): readonly OpenAsk[];
  /**
   * What was counted since this process began, by name: its own counts, `link_asked:…` and `link_failed:…` by
   * link, `dropped_…` for messages that were dropped unread, `journal_owed` and `journal_lost` for changes of the journal that wait or were given up.
   */
  counters(): Readonly<Record<string, number>>;
  /** Judges by other rules from now on, and all that is pending once more: what is on screen is taken back. */
  setRules(rules: PolicySources): void;
  /**
   * Asks other links from now on, also about what links hold at this moment. What waits for the terminal stays
   * there.
   *
   * @throws Error when two links have one name; nothing changes then.
   */
  setLinks(links: ParentLinks): void;
  /** Lets operators do this from now on, and no more; what they had done stays. */
  setOperatorOps(ops: readonly ControlOp[]): void;
  /**
   * Writes a review entry of the program itself into the session's outbox. Never throws.
   *
   * @internal
   */
  note(event: NoteEvent, fields: Readonly<Record<string, unknown>>): void;
  /**
   * Has another session take over, in a program that goes on under another id: this one says so on its heartbeat,
   * serves what is open and what its children still ask, and is closed when nothing is open and none of them lives.
   * Resolves then, or when it stopped for another reason.
   */
  handOver(successor: string): Promise<void>;
  /**
   * Stops taking asks and closes the journal if it opened it, not the bus. `answerOpen`: every open ask is
   * refused as `parent_shut_down` first; else they stay dormant in the journal for the next process.
   */
  close(options?: { readonly answerOpen?: boolean }): Promise<void>;
}

/**
 * Opens the serving role of a session: from here on it takes asks, and what an earlier process left undecided is
 * taken up when its child repeats.
 *
 * @throws JournalError when the journal cannot be opened or written.
 * @throws Error when two links have one name.
 */
export async function openParent(options: ParentOptions): Promise<Parent> {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const log = options.log ?? SILENT_LOG;
  const context = { home: options.home, platform: options.platform ?? process.platform };
  const policy = composePolicy(options.rules, context);
  const ready = prepareJudging();
  const journal = options.journal ?? (await openOwnJournal(options, { clock, log }));
  const ownsJournal = options.journal === undefined;
  await ready;
  try {
    const upstream = (await options.upstream?.(journal)) ?? null;
    const serving = openServing({
      bus: options.bus,
      session: options.session,
      terminal: options.terminal,
      upstream,
      links: chainOptions(options),
      roster: options.roster ?? new Map(),
      recordWidth: options.reviewLogFieldMaxWidth ?? DEFAULT_RECORD_WIDTH,
      policy,
      journal,
      ownsJournal,
      clock,
      log,
      stop: (reason) => life.stop(reason),
    });
    const operators = serveOperators(serving, {
      bus: options.bus,
      ops: options.operatorOps ?? CONTROL_OPS,
    });
    const life = beginLife({ serving, bus: options.bus, journal, ownsJournal, operators });
    return {
      session: options.session,
      incarnation: journal.incarnation,
      stopped: life.stopped,
      openAsks: () => listOpenAsks(serving),
      counters: () => countsOf(serving, operators),
      note: (event, fields) => {
        const entry = plainEntry(serving.draft, event, null, fields);
        serving.ledger.soon((tx) => void tx.record(entry, clock.now()));
      },
      setRules: (rules) => {
        serving.rules.setPolicy(composePolicy(rules, context));
        judgeAllAgain(serving);
      },
      setLinks: (links) => serving.chain.replace(chainOptions(links)),
      setOperatorOps: (ops) => operators.setOps(ops),
      handOver: async (successor) => life.handOver(successor),
      close: async (how = {}) => life.close(how.answerOpen ?? false),
      [Symbol.asyncDispose]: async () => life.close(false),
    };
  } catch (error) {
    if (ownsJournal) await journal.close(false);
    throw error;
  }
}

function chainOptions({ links, authorizerChain, linkTimeoutMs }: ParentLinks): ChainOptions {
  return {
    links: links ?? [],
    chain: authorizerChain ?? [],
    linkTimeoutMs: linkTimeoutMs ?? 10_000,
  };
}

async function openOwnJournal(
  options: ParentOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Journal> {
  return openJournal({
    folder: options.data,
    session: options.session,
    clock,
    onSlowCommit: (ms) => log.warn({ ms }, "a commit of the journal took long"),
  });
}

function countsOf(serving: Serving, operators: Operators): Readonly<Record<string, number>> {
  const { owed, lost } = serving.ledger.debts();
  const named = (what: string, drops: Readonly<Record<string, number>>) =>
    Object.entries(drops).map(([reason, count]) => [`${what}_${reason}`, count] as const);
  const dropped = [
    ...named("dropped", serving.line.dropped()),
    ...named("dropped_operator", operators.dropped()),
  ];
  return {
    ...serving.counters.read(),
    ...serving.chain.counts(),
    journal_owed: owed,
    journal_lost: lost,
    ...Object.fromEntries(dropped),
  };
}
