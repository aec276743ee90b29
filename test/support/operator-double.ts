import {
  type ControlReply,
  type OperatorLine,
  openOperatorLine,
  type ShownWhole,
  type Want,
} from "../../src/bus/operator-line.ts";
import { memoryBus } from "./memory-bus.ts";
import type { ParentStage } from "./parent-stage.ts";

/** An operator that does only what the test says, over the real line. */
export interface OperatorDouble {
  readonly line: OperatorLine;
  /** Wants something of session `parent-1` and lets it happen. */
  want(want: Want): Promise<ControlReply>;
  /** Shows an ask and gives the digest of what was shown. */
  shown(requestId: string): Promise<ShownWhole>;
  /** Shows an ask and answers it. */
  answer(requestId: string, answer: "allow" | "deny", more?: object): Promise<ControlReply>;
}

/** Connects an operator to a stage. */
export function operatorDouble(stage: ParentStage, operator = "alice"): OperatorDouble {
  const line = openOperatorLine({ bus: memoryBus(stage.broker), operator });
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    await stage.flush();
    return work;
  };
  const shown = async (requestId: string): Promise<ShownWhole> => {
    const reply = await settled(line.show("parent-1", requestId));
    if (reply.op !== "whole") throw new Error(`${requestId}: ${JSON.stringify(reply)}`);
    return reply;
  };
  const want = async (wanted: Want): Promise<ControlReply> => settled(line.ask("parent-1", wanted));
  return {
    line,
    want,
    shown,
    answer: async (requestId, answer, more = {}) => {
      const { digest } = (await shown(requestId)).part;
      return want({ op: "answer", wants: { requestId, digest, answer, ...more } });
    },
  };
}
