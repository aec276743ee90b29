import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import type { Clock } from "../../src/ask/ports.ts";
import { type Journal, JournalError } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { openParent, type Parent, type ParentOptions } from "../../src/parent/parent.ts";
import type { PermissionMap } from "../../src/policy/sources.ts";
import { type ChildDouble, childDouble } from "./child-double.ts";
import { createMemoryBroker, type MemoryBroker, memoryBus } from "./memory-bus.ts";
import type { MemoryPort } from "./memory-port.ts";
import { type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";

// Taken at import, so that faked timers do not stand in the way of what is under way.
const immediately = globalThis.setImmediate;

/** A record as it stands in the journal: its kind and its body. */
export interface KeptRecord {
  readonly kind: string;
  readonly requestId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One process of a serving session. */
export interface ParentProcess {
  readonly parent: Parent;
  readonly port: MemoryPort;
  readonly terminal: ScriptedTerminal;
  readonly journal: Journal;
  /** Makes every write fail from now on, as on a full disk, or lets them pass again. */
  failWrites(fails: boolean): void;
  /** Ends it as a kill does: nothing it still does reaches the wire or the disk. */
  kill(): Promise<void>;
}

/** A parent, its broker and its children, on one faked clock. */
export interface ParentStage extends AsyncDisposable {
  readonly broker: MemoryBroker;
  readonly clock: Clock;
  child(session?: string): ChildDouble;
  /** Starts a process of session `parent-1` on the stage's data folder. */
  start(options?: StartOptions): Promise<ParentProcess>;
  /** Lets everything under way happen; no time passes. */
  flush(): Promise<void>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Sets the clock forward; no timer runs meanwhile, as over a sleep of the machine. */
  jump(ms: number): void;
  /** Every record of the session so far, in order. */
  records(process: ParentProcess): readonly KeptRecord[];
  /** The records about one ask in short: the event of a review entry, else kind and resolution. */
  story(process: ParentProcess, requestId: string): readonly string[];
  /** The bodies a parent sent about one id, oldest first, as a wire tap shows them. */
  sent(requestId: string): readonly { readonly text: string; readonly proven: boolean }[];
}

/** Options of the parent, and whether it opens its journal by itself. */
export interface StartOptions extends Partial<Omit<ParentOptions, "journal">> {
  readonly ownJournal?: boolean;
}

/** Rules that leave `git push *` open, allow `git status` and deny `rm *`. */
export const STAGE_RULES: PermissionMap = new Map([
  [
    "bash",
    new Map<string, "allow" | "ask" | { action: "deny"; reason: string }>([
      ["*", "ask"],
      ["git status", "allow"],
      ["rm *", { action: "deny", reason: "nothing is removed here" }],
    ]),
  ],
]);

/** Sets a stage; `await using` takes it down. Fakes the timers of its test. */
export function setStage(): ParentStage {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
    now: 1_800_000_000_000,
  });
  const broker = createMemoryBroker();
  const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const folder = mkdtempSync(join(tmpdir(), "parent-"));
  const processes: ParentProcess[] = [];

  const flush = async (): Promise<void> => {
    for (let turn = 0; turn < 24; turn += 1) {
      await new Promise((resolve) => {
        immediately(resolve);
      });
    }
  };

  const records = ({ journal }: ParentProcess): readonly KeptRecord[] =>
    journal.read.outbox(1, 100_000).map((row) => {
      const header = JSON.parse(Buffer.from(row.header).toString("utf8")) as KeptRecord;
      const body = JSON.parse(Buffer.from(row.body).toString("utf8")) as KeptRecord["body"];
      return { kind: header.kind, requestId: header.requestId, body };
    });

  return {
    broker,
    clock,
    child: (session) => childDouble(broker, session),
    start: async (options = {}) => {
      const process = await startProcess({ broker, clock, folder }, options);
      processes.push(process);
      await flush();
      return process;
    },
    flush,
    pass: async (ms) => {
      await flush();
      await vi.advanceTimersByTimeAsync(ms);
      await flush();
    },
    jump: (ms) => {
      vi.setSystemTime(Date.now() + ms);
    },
    records,
    story: (process, requestId) =>
      records(process)
        .filter((record) => record.requestId === requestId)
        .map(inShort),
    sent: (requestId) =>
      broker.log
        .filter(({ subject }) => subject.includes(".dec.") && subject.endsWith(`.${requestId}`))
        .map(({ data, headers }) => ({
          text: Buffer.from(data).toString("utf8"),
          proven: "Af-Proof" in headers,
        })),
    [Symbol.asyncDispose]: async () => {
      for (const process of processes) await process.kill();
      rmSync(folder, { recursive: true, force: true });
      vi.useRealTimers();
    },
  };
}

function inShort({ kind, body }: KeptRecord): string {
  const { event, resolution } = body;
  if (typeof event === "string") return event;
  return typeof resolution === "string" ? `${kind} ${resolution}` : kind;
}

interface Ground {
  readonly broker: MemoryBroker;
  readonly clock: Clock;
  readonly folder: string;
}

async function startProcess(
  { broker, clock, folder }: Ground,
  { ownJournal = false, ...options }: StartOptions,
): Promise<ParentProcess> {
  const bus = memoryBus(broker);
  const journal = await openJournal({ folder, session: "parent-1", clock });
  let fails = false;
  let dead = false;
  const check = (): void => {
    if (fails || dead) throw new JournalError("journal_full", "journal.db", "the disk is full");
  };
  const fragile: Journal = {
    ...journal,
    write: (work) => {
      check();
      return journal.write(work);
    },
    group: async (work) => {
      check();
      return journal.group((tx) => {
        check();
        work(tx);
      });
    },
  };
  const terminal = scriptedTerminal();
  const parent = await openParent({
    bus,
    session: "parent-1",
    data: folder,
    rules: { global: STAGE_RULES },
    terminal,
    home: "/home/op",
    platform: "linux",
    clock,
    ...(ownJournal ? {} : { journal: fragile }),
    ...options,
  });
  return {
    parent,
    port: bus.port,
    terminal,
    journal,
    failWrites: (now) => {
      fails = now;
    },
    kill: async () => {
      if (dead) return;
      dead = true;
      bus.port.disconnect();
      await journal.close(false);
      await parent.close();
    },
  };
}
