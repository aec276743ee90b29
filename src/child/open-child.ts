import type { Clock, Log } from "../ask/ports.ts";
import { openEventLine } from "../bus/event-line.ts";
import { openAsking } from "./asking.ts";
import type { Child, ChildOptions } from "./child.ts";
import { openDecider } from "./decider.ts";
import { drafterOf } from "./drafter.ts";
import { type HeldJournal, holdJournal } from "./held-journal.ts";
import { endOrphans } from "./orphans.ts";
import type { Drafter } from "./parts.ts";
import { pendingAsks } from "./pending.ts";
import { NO_LOG, quietLog } from "./quiet-log.ts";
import { holdRules } from "./rule-holder.ts";
import { type ChildSettings, childSettings } from "./settings.ts";

const SYSTEM_CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** How long a closing child waits for its last words to leave, in milliseconds. */
const LAST_WORDS_MS = 500;

/**
 * Opens the asking role of a session: its journal, its rules and its standing subscription are in place when
 * the promise resolves. Asks that an earlier process of the session left open are cancelled.
 *
 * @throws RangeError when an option is out of its range.
 * @throws TypeError when a session's name cannot stand in a subject.
 * @throws {@link JournalError} when the journal cannot be used.
 */
export async function openChild(options: ChildOptions): Promise<Child> {
  const settings = childSettings(options);
  const clock = options.clock ?? SYSTEM_CLOCK;
  const log = quietLog(options.log ?? NO_LOG);
  const draft = drafterOf(options.reviewLogFieldMaxWidth);
  const held = await holdJournal(options, { draft, clock, log });
  try {
    return assemble(options, { settings, held, draft, clock, log });
  } catch (error) {
    await held.close(false);
    throw error;
  }
}

interface Opened {
  readonly settings: ChildSettings;
  readonly held: HeldJournal;
  readonly draft: Drafter;
  readonly clock: Clock;
  readonly log: Log;
}

function assemble(options: ChildOptions, opened: Opened): Child {
  const { settings, held, draft, clock, log } = opened;
  const { journal } = held;
  const { self } = settings;
  const { bus, session } = options;
  const rules = holdRules(options, {
    agentName: self.agentName,
    journal,
    now: () => clock.now(),
  });
  endOrphans({ journal, draft, agentName: self.agentName, clock });

  const asking = openAsking({
    bus,
    session,
    parents: self.parent === null ? [] : [self.parent, ...self.others],
    journal,
    clock,
    log,
    graceMs: settings.graceMs,
  });
  const { asks, line, link } = asking;
  const events = openEventLine(bus, session);
  const decider = openDecider(
    {
      self,
      asks,
      line,
      journal,
      draft,
      // Observers are told as little as a record keeps.
      tell: (event) => {
        events.publish("decision", draft("decision", event.requestId, { ...event }).body);
      },
      prepare: (call): Promise<void> | null => rules.prepare(call),
      judge: (call) => rules.judge(call),
      judgeAgain: (judged) => rules.judgeAgain(judged),
      granted: () => rules.granted(),
      onRules: (listen) => rules.onRules(listen),
      severed: () => link.severed(),
      clock,
      log,
    },
    settings.lifeMs,
  );

  async function shutDown(): Promise<void> {
    decider.close();
    asks.feedAll({ kind: "shutdown" });
    try {
      await decider.idle();
      await bus.port.flush(LAST_WORDS_MS);
    } finally {
      asking.close();
      await held.close(true);
    }
  }
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => (closing ??= shutDown());

  return Object.freeze<Child>({
    session,
    incarnation: journal.incarnation,
    decide: async (call, decideOptions) => decider.decide(call, decideOptions),
    pending: () => pendingAsks(asks.open(), (parent) => link.sign(parent), clock),
    setRules: (sources) => rules.setRules(sources),
    note: (event, fields) => {
      const entry = draft("review", null, { event, ...fields });
      journal
        .group((tx) => void tx.record(entry, clock.now()))
        .catch((error: unknown) => log.error({ error }, "an entry could not be recorded"));
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}
