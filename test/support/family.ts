import type { Outcome } from "../../src/ask/outcome.ts";
import type { ToolCall } from "../../src/ask/tool-call.ts";
import type { Signatures } from "../../src/bus/bus.ts";
import type { Child, ChildOptions } from "../../src/child/child.ts";
import { openChild } from "../../src/child/open-child.ts";
import { openParent, type Parent, type ParentOptions } from "../../src/parent/parent.ts";
import type { PolicySources } from "../../src/policy/sources.ts";
import { aFolder } from "./journal-parts.ts";
import { createMemoryBroker, type MemoryBroker, memoryBus } from "./memory-bus.ts";
import { rules } from "./rules.ts";
import { type PutAsk, type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";
import { until } from "./until.ts";

/** A real child and a real parent that hear each other in memory. */
export interface Family extends AsyncDisposable {
  readonly child: Child;
  readonly parent: Parent;
  readonly terminal: ScriptedTerminal;
  readonly broker: MemoryBroker;
  /** Decides a call of the working directory `/srv/app`. */
  decide(call: Partial<ToolCall>): Promise<Outcome>;
  /** Waits until an ask was put to the person, and gives the last one. */
  shown(): Promise<PutAsk>;
}

/** Rules and options of either side; rules as a configuration file writes them. */
export interface FamilyOptions {
  readonly child?: object;
  readonly parent?: object;
  readonly parentSources?: Partial<PolicySources>;
  readonly childOptions?: Partial<ChildOptions>;
  readonly parentOptions?: Partial<ParentOptions>;
  readonly parentSignatures?: Signatures;
  readonly childSignatures?: Signatures;
}

const signed = (signatures: Signatures | undefined): { readonly signatures?: Signatures } =>
  signatures === undefined ? {} : { signatures };

/** Starts a family. A child without rules of its own asks for everything. */
export async function aFamily(options: FamilyOptions): Promise<Family> {
  const folder = aFolder();
  const broker = createMemoryBroker();
  const terminal = scriptedTerminal();
  const machine = { home: "/home/ann", platform: "linux", data: folder.path } as const;
  const parent = await openParent({
    ...machine,
    bus: { ...memoryBus(broker), ...signed(options.parentSignatures) },
    session: "parent-1",
    rules: { global: rules(options.parent ?? {}), ...options.parentSources },
    terminal,
    ...options.parentOptions,
  });
  const child = await openChild({
    ...machine,
    bus: { ...memoryBus(broker), ...signed(options.childSignatures) },
    session: "child-1",
    parent: "parent-1",
    agentName: "reviewer",
    rules: { global: rules(options.child ?? {}) },
    ...options.childOptions,
  });
  return {
    child,
    parent,
    terminal,
    broker,
    decide: async (call) => child.decide({ toolName: "bash", input: {}, cwd: "/srv/app", ...call }),
    shown: async () => until("an ask is put to the person", () => terminal.put.at(-1)),
    [Symbol.asyncDispose]: async () => {
      await child.close();
      await parent.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A call of the shell. */
export function shell(command: string): Partial<ToolCall> {
  return { toolName: "bash", input: { command } };
}
