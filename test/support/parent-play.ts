import fc from "fast-check";
import { CHILD_GONE } from "../../src/ask/ports.ts";
import type { Parent } from "../../src/parent/parent.ts";
import { type ChildDouble, command } from "./child-double.ts";
import { type ParentProcess, type ParentStage, setStage } from "./parent-stage.ts";
import { type ScriptedTerminal, scriptedTerminal } from "./scripted-terminal.ts";

type OnAsk = "ask" | "repeat" | "cancel" | "receipt" | "allow" | "deny" | "grant";

/** Something that happens in a play. Acts that make no sense where they stand do nothing. */
export type Act =
  | { readonly does: OnAsk; readonly nth: number }
  | { readonly does: "kill" | "cut" | "mend" | "fill" | "empty" }
  | { readonly does: "pass"; readonly ms: number };

/** What the asks of a play are about: two for a person, one a rule allows, one a rule denies. */
const COMMANDS = ["git push", "git status", "rm x", "git push"] as const;

/** The ids of a play's asks. */
export const PLAYED: readonly string[] = COMMANDS.map((_, nth) => `perm-play-${String(nth)}`);

const onAsk = (...acts: readonly OnAsk[]): fc.Arbitrary<Act> =>
  fc.record({
    does: fc.constantFrom(...acts),
    nth: fc.nat({ max: COMMANDS.length - 1 }),
  });

/** Acts of a day on which nothing breaks but what `breaks` names. */
export function acts(
  ...breaks: readonly ("kill" | "cut" | "mend" | "fill" | "empty")[]
): fc.Arbitrary<readonly Act[]> {
  const passing: fc.Arbitrary<Act> = fc.record({
    does: fc.constant("pass" as const),
    ms: fc.constantFrom(5, 900, 4000, 130_000),
  });
  const one = fc.oneof(
    { arbitrary: onAsk("ask", "repeat"), weight: 6 },
    { arbitrary: onAsk("allow", "deny", "grant"), weight: 4 },
    { arbitrary: onAsk("cancel", "receipt"), weight: 2 },
    { arbitrary: passing, weight: 3 },
    { arbitrary: fc.record({ does: fc.constantFrom(...breaks) }), weight: 4 },
  );
  return fc.array(one, { minLength: 4, maxLength: 40 });
}

/** A play that has ended: what was to be seen of it. */
export interface Played {
  /** Distinct bodies sent about an id that end it at its child. */
  ends(requestId: string): readonly string[];
  /** How the journal says it ended; null when it was never kept or never ended. */
  kept(requestId: string): string | null;
  story(requestId: string): readonly string[];
  /** Ids that were put to somebody although they had ended. */
  readonly promptedAfterEnd: readonly string[];
  /** Allows of a person that were sent while no disk held them. */
  readonly unkeptAllows: readonly string[];
  /** Everything sent about an id, oldest first, each as its kind: `accepted`, `allowed`, `cancelled`, `unknown` … */
  words(requestId: string): readonly string[];
  /** How often it was put to a person, but for when its child was not heard any longer. */
  prompts(requestId: string): number;
  /** Processes that served, one after the other. */
  readonly processes: number;
}

interface Scene {
  readonly stage: ParentStage;
  readonly child: ChildDouble;
  readonly asked: Set<number>;
  readonly promptedAfterEnd: string[];
  readonly unkeptAllows: string[];
  readonly terminals: ScriptedTerminal[];
  process: ParentProcess;
  terminal: ScriptedTerminal;
}

/** Plays the acts on a fresh stage, closes the parent in order and shows `judge` what was to be seen. */
export async function play(all: readonly Act[], judge: (played: Played) => void): Promise<void> {
  await using stage = setStage();
  const scene = await openScene(stage);
  for (const act of all) {
    await perform(scene, act);
    await stage.flush();
    noteUnkeptAllows(scene);
  }
  scene.process.failWrites(false);
  await stage.pass(1100);
  await closeInOrder(scene.process.parent);
  await stage.flush();
  judge(seen(scene));
}

async function openScene(stage: ParentStage): Promise<Scene> {
  const open = {
    stage,
    asked: new Set<number>(),
    promptedAfterEnd: [],
    unkeptAllows: [],
    terminals: [],
  };
  return { ...open, child: stage.child(), ...(await startProcess(open)) };
}

async function startProcess(
  scene: Pick<Scene, "stage" | "promptedAfterEnd" | "terminals">,
): Promise<Pick<Scene, "process" | "terminal">> {
  const known: { process?: ParentProcess } = {};
  const terminal = scriptedTerminal(({ details: { requestId } }, put) => {
    const row = known.process?.journal.read.servedAsk(requestId) ?? null;
    if (row !== null && row.end !== null) scene.promptedAfterEnd.push(requestId);
    return put % 3 !== 2;
  });
  const process = await scene.stage.start({ terminal });
  known.process = process;
  scene.terminals.push(terminal);
  return { process, terminal };
}

async function closeInOrder(parent: Parent): Promise<void> {
  await parent.close({ answerOpen: true });
}

async function perform(scene: Scene, act: Act): Promise<void> {
  switch (act.does) {
    case "pass":
      await scene.stage.pass(act.ms);
      return;
    case "kill":
      // What a rule answered in the last 10 ms may be on no disk: the one window that is left open by design.
      await scene.stage.pass(10);
      await scene.process.kill();
      Object.assign(scene, await startProcess(scene));
      return;
    case "cut":
      scene.process.port.disconnect();
      return;
    case "mend":
      scene.process.port.reconnect();
      return;
    case "fill":
    case "empty":
      scene.process.failWrites(act.does === "fill");
      return;
    case "ask":
    case "repeat":
    case "cancel":
    case "receipt":
    case "allow":
    case "deny":
    case "grant":
      performOnAsk(scene, act);
  }
}

function performOnAsk(scene: Scene, { does, nth }: Extract<Act, { nth: number }>): void {
  const { child, asked } = scene;
  const id = PLAYED[nth] ?? "";
  if (does === "cancel") child.cancel(id);
  else if (does === "ask" && !asked.has(nth)) {
    asked.add(nth);
    child.ask({ ...command(COMMANDS[nth] ?? ""), id }, 300_000);
  } else if (does === "repeat" && asked.has(nth)) child.repeat(id, 300_000);
  else if (does === "receipt" && child.about(id, "decision").length > 0) child.receipt(id);
  else answerAsPerson(scene.terminal, does, id);
}

function answerAsPerson(terminal: ScriptedTerminal, does: OnAsk, id: string): void {
  if (!terminal.put.some(({ ask }) => ask.details.requestId === id)) return;
  if (does === "deny") terminal.deny(id);
  else if (does === "allow") terminal.allow(id);
  else if (does === "grant") terminal.allow(id, "serving_session");
}

function noteUnkeptAllows({ stage, process, unkeptAllows }: Scene): void {
  for (const id of PLAYED) {
    const kept = process.journal.read.servedAsk(id)?.end?.answer;
    for (const { text } of stage.sent(id)) {
      const { approved, decidedBy } = JSON.parse(text) as Sent;
      if (approved === true && decidedBy?.kind === "user" && text !== kept) unkeptAllows.push(text);
    }
  }
}

function seen(scene: Scene): Played {
  const { stage, process, terminals } = scene;
  return {
    ends: (requestId) => [...new Set(stage.sent(requestId).map(({ text }) => text))].filter(isEnd),
    kept: (requestId) => process.journal.read.servedAsk(requestId)?.end?.answer ?? null,
    story: (requestId) => stage.story(process, requestId),
    promptedAfterEnd: scene.promptedAfterEnd,
    unkeptAllows: scene.unkeptAllows,
    words: (requestId) => stage.sent(requestId).map(({ text }) => wordOf(text)),
    prompts: (requestId) =>
      terminals
        .flatMap(({ put }) => put)
        .filter(({ ask, signal }) => {
          return ask.details.requestId === requestId && signal.reason !== CHILD_GONE;
        }).length,
    processes: terminals.length,
  };
}

interface Sent {
  readonly approved?: boolean;
  readonly decidedBy?: { readonly kind: string };
  readonly lost?: string;
  readonly effect?: string;
}

function wordOf(text: string): string {
  const { approved, lost, effect } = JSON.parse(text) as Sent;
  if (approved !== undefined) return approved ? "allowed" : "denied";
  return lost ?? effect ?? "accepted";
}

function isEnd(text: string): boolean {
  return !["accepted", "already_decided", "unknown"].includes(wordOf(text));
}
