import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";
import type { ToolCall } from "../../src/ask/tool-call.ts";
import type { Child, ChildOptions } from "../../src/child/child.ts";
import { openChild } from "../../src/child/open-child.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import type { PermissionEntry, PolicySources } from "../../src/policy/sources.ts";
import { aFolder, REAL_CLOCK } from "./journal-parts.ts";
import { createMemoryBroker, type MemoryBroker, memoryBus } from "./memory-bus.ts";
import type { MemoryPort } from "./memory-port.ts";
import { type HeardAsk, type ScriptedParent, scriptedParent } from "./scripted-parent.ts";

/** Rules as a configuration file gives them. */
export function rulesOf(
  surfaces: Readonly<Record<string, string | Readonly<Record<string, string>>>>,
): PolicySources {
  const entries = Object.entries(surfaces).map(
    ([surface, entry]) =>
      [surface, typeof entry === "string" ? entry : new Map(Object.entries(entry))] as const,
  );
  return { global: new Map(entries as [string, PermissionEntry][]) };
}

/** A call of the shell. */
export function aCall(command = "make deploy", of: Partial<ToolCall> = {}): ToolCall {
  return { toolName: "bash", input: { command }, cwd: "/srv/app", toolCallId: "call-1", ...of };
}

/** A child on a broker in memory, its journal, and the double that plays its parent. */
export interface ChildScene extends AsyncDisposable {
  readonly broker: MemoryBroker;
  readonly port: MemoryPort;
  readonly journal: Journal;
  readonly child: Child;
  readonly parent: ScriptedParent;
  /** Waits for the ask at this place in order of arrival. */
  ask(index?: number): Promise<HeardAsk>;
  /** Bodies of the records in the journal, oldest first; `event` keeps one review event. */
  records(event?: string): readonly Readonly<Record<string, unknown>>[];
  /** Starts another process of the same session. */
  sibling(): Promise<Sibling>;
}

/** Another process of the scene's session, on a connection of its own. */
export interface Sibling {
  readonly child: Child;
  readonly port: MemoryPort;
  /** What a kill leaves: the link is gone, the lock is free, and nothing was tidied up. */
  kill(): Promise<void>;
}

/** Lets what is under way go on, without any time passing. */
export async function settle(turns = 12): Promise<void> {
  for (let left = turns; left > 0; left -= 1) await turn();
}

/** Lets faked time pass in steps, and what is under way go on in between. */
export async function pass(ms: number, stepMs = Math.max(10, ms / 200)): Promise<void> {
  await settle();
  for (let left = ms; left > 0; left -= stepMs) {
    await vi.advanceTimersByTimeAsync(Math.min(stepMs, left));
    await settle(4);
  }
  await settle();
}

/** Fakes the timers and clocks that a child uses. */
export function fakeTime(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
}

/** Opens the scene; `serving: false` leaves the parent's subject without a subscriber. */
export async function childScene(
  options: Partial<ChildOptions> & { readonly serving?: boolean } = {},
): Promise<ChildScene> {
  const { serving = true, ...rest } = options;
  const folder = aFolder();
  const broker = createMemoryBroker();
  const bus = memoryBus(broker);
  const parent = scriptedParent(memoryBus(broker));
  if (!serving) parent.close();
  const open = async (): Promise<Journal> =>
    openJournal({ folder: folder.path, session: "child-1", clock: REAL_CLOCK });
  const journal = await open();
  const base: ChildOptions = {
    bus,
    session: "child-1",
    parent: "parent-1",
    data: folder.path,
    rules: {},
    agentName: "reviewer",
    home: "/home/op",
    platform: "linux",
    ...rest,
  };
  const child = await openChild({ journal, ...base });
  const others: { readonly child: Child; readonly journal: Journal }[] = [];
  return {
    broker,
    port: bus.port,
    journal,
    child,
    parent,
    ask: async (index = 0) => {
      for (let turns = 0; turns < 200; turns += 1) {
        const ask = parent.asks[index];
        if (ask !== undefined) return ask;
        await turn();
      }
      throw new Error(`ask ${String(index)} did not come; ${String(parent.asks.length)} did`);
    },
    records: (event) =>
      journal.read
        .outbox(1, 10_000)
        .map(({ body }) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>)
        .filter((body) => event === undefined || body["event"] === event),
    sibling: async () => {
      const own = await open();
      const ownBus = memoryBus(broker);
      const sibling = await openChild({ ...base, bus: ownBus, journal: own });
      others.push({ child: sibling, journal: own });
      return {
        child: sibling,
        port: ownBus.port,
        kill: async () => {
          ownBus.port.disconnect();
          await own.close(false);
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      vi.useRealTimers();
      for (const other of others) {
        await other.child.close();
        await other.journal.close(false);
      }
      await child.close();
      await journal.close(false);
      await bus.port.close();
      folder[Symbol.dispose]();
    },
  };
}
