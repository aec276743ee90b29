import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isReady, type Line, type RunningProgram, runProgram } from "../test/support/askfabric.ts";
import { promptOf } from "../test/support/session-pair.ts";
import { until } from "../test/support/until.ts";
import { type AttackedFleet, PREFIX } from "./fleet.ts";
import type { Heard } from "./speaker.ts";

/** A call that waits for the person of `lead`. */
export interface Waiting {
  readonly requestId: string;
  /** What its child sent, as the wire carried it. */
  readonly asked: Heard;
  /** The person's answer, and the outcome that the child then tells. */
  answer(answer: "allow" | "deny"): Promise<unknown>;
  /** The outcome that the child told; undefined while it waits. */
  outcome(): unknown;
}

/** Real programs: a parent with a person, and two children, of whom one demands signatures. */
export interface AskScene extends AsyncDisposable {
  /** Puts a call of a child that waits for the person. */
  wait(child?: "worker-1" | "worker-2"): Promise<Waiting>;
  /** Ids of all that the person was shown, in order. */
  shown(): readonly string[];
  /** What the parent answered about an id, as the wire carried it. */
  decided(requestId: string): Promise<Heard>;
}

const RULES = {
  permission: { bash: { "*": "ask", "git status": "allow" } },
  agents: { trusted: { permission: { bash: { "*": "allow" } } } },
};

/** Starts the programs on a fleet whose credentials are there. */
export async function openAskScene(attacked: AttackedFleet): Promise<AskScene> {
  const { fleet, root } = attacked;
  const asks = root.fleet.listen(`${PREFIX}.ask.lead.*`);
  const answers = root.fleet.listen(`${PREFIX}.dec.lead.*.*`);
  await root.fleet.settle();
  const start = (name: string, config: object, ...args: readonly string[]): RunningProgram => {
    const file = join(fleet.folder, `${name}.attacked.json`);
    writeFileSync(file, JSON.stringify(config));
    const data = join(fleet.folder, `${name}-attacked`);
    return runProgram([...args, "--join", fleet.joinOf(name), "--data", data, "--config", file]);
  };
  const lead = start("lead", { ...RULES, signDecisions: true }, "serve", "--terminal", "stdin");
  await lead.line("ready", isReady);
  // What is shown of mallory's is denied, so that the next one is shown.
  lead.onLine((line) => {
    const prompt = line["prompt"] as { requestId: string; requester: { sessionId: string } };
    if (line["prompt"] === undefined || prompt.requester.sessionId !== "mallory") return;
    lead.say({ requestId: prompt.requestId, answer: "deny" });
  });
  const ask = { permission: { "*": "ask" } };
  const { lines } = await fleet.creds("show");
  const keys = lines.flatMap((line) => {
    const shown = line["credential"] as { name: string; publicKey: string } | undefined;
    return shown?.name === "lead" ? [shown.publicKey] : [];
  });
  const workers = {
    "worker-1": start("worker-1", ask, "child", "--parent", "lead"),
    "worker-2": start("worker-2", { ...ask, requireSigners: keys }, "child", "--parent", "lead"),
  };
  let calls = 0;
  const outcomeIn = (worker: RunningProgram, id: string): Line | undefined =>
    worker.lines.find((line) => line["id"] === id);
  return {
    wait: async (child = "worker-1") => {
      calls += 1;
      const [id, command] = [`call-${String(calls)}`, `make target-${String(calls)}`];
      const worker = workers[child];
      worker.say({ id, toolName: "bash", input: { command } });
      const { requestId } = await lead.line("its prompt", (line) => {
        const prompt = promptOf(line);
        return prompt?.value === command ? prompt : undefined;
      });
      const asked = await until("the ask", () => asks.find(({ text }) => text.includes(requestId)));
      const outcome = (): unknown => outcomeIn(worker, id)?.["outcome"];
      return {
        requestId,
        asked,
        outcome,
        answer: async (answer) => {
          lead.say({ requestId, answer });
          return until("its outcome", () => outcome());
        },
      };
    },
    shown: () => lead.lines.flatMap((line) => promptOf(line)?.requestId ?? []),
    decided: async (requestId) =>
      until("the decision", () =>
        answers.find(
          ({ subject, text }) => subject.endsWith(requestId) && text.includes('"approved":'),
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      for (const program of [lead, ...Object.values(workers)]) await program[Symbol.asyncDispose]();
    },
  };
}
