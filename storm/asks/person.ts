import type { RunningProgram } from "../../test/support/askfabric.ts";
import { promptOf } from "../../test/support/session-pair.ts";
import type { Random } from "../random.ts";
import { BY_VERB } from "./kinds.ts";

/** The person whom the parent asks, over all processes of that parent. */
export interface Person {
  /** Reads the prompts of a process and answers them there. */
  sit(program: RunningProgram): void;
  /** Prompts beyond the first for one ask. */
  reprompted(): number;
}

/** Opens one. */
export function openPerson(random: Random): Person {
  const asked = new Map<string, number>();
  return {
    sit: (program) => {
      program.onLine((line) => {
        const prompt = promptOf(line);
        if (prompt === undefined) return;
        const { requestId, value } = prompt;
        asked.set(requestId, (asked.get(requestId) ?? 0) + 1);
        const said = BY_VERB.get(value.split(" ")[0] ?? "")?.person?.(random);
        if (said === undefined) return;
        const { answer, afterMs } = said;
        const reason = answer === "deny" ? { reason: `no ${value}` } : {};
        setTimeout(() => program.say({ requestId, answer, ...reason }), afterMs);
      });
    },
    reprompted: () => [...asked.values()].reduce((sum, times) => sum + times - 1, 0),
  };
}
