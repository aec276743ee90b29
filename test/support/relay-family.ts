import { SILENT_LOG, SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import type { Outcome } from "../../src/ask/outcome.ts";
import type { Child, ChildOptions, DecideOptions } from "../../src/child/child.ts";
import { openChild } from "../../src/child/open-child.ts";
import { openUpstream } from "../../src/child/open-upstream.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { openParent, type Parent, type ParentOptions } from "../../src/parent/parent.ts";
import { aFolder } from "./journal-parts.ts";
import { createMemoryBroker, type MemoryBroker, memoryBus } from "./memory-bus.ts";
import type { MemoryPort } from "./memory-port.ts";
import { rules } from "./rules.ts";
import { type PutAsk, type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";
import { until } from "./until.ts";

/** One process of a session that serves others. */
export interface ServingProcess {
  readonly parent: Parent;
  readonly port: MemoryPort;
  readonly terminal: ScriptedTerminal;
  readonly journal: Journal;
  /** Ends it as a kill does: nothing it still does reaches the wire or the disk. */
  kill(): Promise<void>;
}

/** What a serving process is started with. Rules are written as a configuration file writes them. */
export interface ServeOptions {
  readonly rules?: object;
  /** The session it asks in its turn; absent: it decides itself. */
  readonly parent?: string;
  readonly options?: Partial<ParentOptions>;
}

/** Sessions that hear each other in memory, each with a journal of its own in one folder. */
export interface Tree extends AsyncDisposable {
  readonly broker: MemoryBroker;
  serve(session: string, options?: ServeOptions): Promise<ServingProcess>;
  child(session: string, parent: string, options?: Partial<ChildOptions>): Promise<Child>;
  /** Bodies of the records of a session, oldest first. */
  records(session: string): Promise<readonly TreeRecord[]>;
}

/** A record with its kind. */
export interface TreeRecord extends Readonly<Record<string, unknown>> {
  readonly kind: string;
  readonly event?: string;
  readonly resolution?: string;
}

/** Opens a tree without sessions. */
export function aTree(): Tree {
  const folder = aFolder();
  const broker = createMemoryBroker();
  const machine = { home: "/home/ann", platform: "linux", data: folder.path } as const;
  const ends: (() => Promise<void>)[] = [];

  return {
    broker,
    serve: async (session, { rules: entries = {}, parent: above, options = {} } = {}) => {
      const bus = memoryBus(broker);
      const terminal = scriptedTerminal();
      const journal = await openJournal({ folder: folder.path, session, clock: SYSTEM_CLOCK });
      const parent = await openParent({
        ...machine,
        bus,
        session,
        journal,
        rules: { global: rules(entries) },
        terminal,
        ...(above === undefined
          ? {}
          : {
              upstream: async (held: Journal) =>
                Promise.resolve(
                  openUpstream({
                    bus,
                    session,
                    parent: above,
                    journal: held,
                    clock: SYSTEM_CLOCK,
                    log: options.log ?? SILENT_LOG,
                    unservedGraceMs: 300,
                  }),
                ),
            }),
        ...options,
      });
      let dead = false;
      const kill = async (): Promise<void> => {
        if (dead) return;
        dead = true;
        bus.port.disconnect();
        await journal.close(false);
        await parent.close();
      };
      ends.unshift(kill);
      return { parent, port: bus.port, terminal, journal, kill };
    },
    child: async (session, parent, options = {}) => {
      const child = await openChild({
        ...machine,
        bus: memoryBus(broker),
        session,
        parent,
        rules: {},
        ...options,
      });
      ends.unshift(async () => child.close());
      return child;
    },
    records: async (session) => {
      await using journal = await openJournal({
        folder: folder.path,
        session,
        clock: SYSTEM_CLOCK,
      });
      return journal.read.outbox(1, 100_000).map(({ header, body }) => ({
        kind: (JSON.parse(Buffer.from(header).toString("utf8")) as TreeRecord).kind,
        ...(JSON.parse(Buffer.from(body).toString("utf8")) as object),
      }));
    },
    [Symbol.asyncDispose]: async () => {
      for (const end of ends) await end();
      folder[Symbol.dispose]();
    },
  };
}

/** Decides a command of the shell. */
export async function decideCommand(
  child: Child,
  command: string,
  options: DecideOptions = {},
): Promise<Outcome> {
  return child.decide({ toolName: "bash", input: { command }, cwd: "/srv/app" }, options);
}

/** Waits until an ask was put to the person of a process, and gives the last one. */
export async function shownAt({ terminal }: ServingProcess): Promise<PutAsk> {
  return until("an ask is put to the person", () => terminal.put.at(-1));
}

/** What a record is, in short: the event of a review entry, else kind and resolution. */
export function inShort({ kind, event, resolution }: TreeRecord): string {
  return event ?? `${kind} ${resolution ?? ""}`.trim();
}

/** The id of the first request of a call. */
export function requestIdOf({ requests }: Outcome): string {
  return requests[0]?.requestId ?? "";
}

/** Waits until a session has recorded a decision, and gives all it has recorded. */
export async function recordsOnceDecided(
  tree: Tree,
  session: string,
): Promise<readonly TreeRecord[]> {
  return until(`${session} records a decision`, async () => {
    const found = await tree.records(session);
    return found.some(({ kind }) => kind === "decision") ? found : undefined;
  });
}
