import type { Outcome } from "../ask/outcome.ts";
import { mintRequestId } from "../ask/request-id.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import { type CallSite, oweRecords } from "./call-site.ts";
import type { DecideOptions } from "./child.ts";
import { CallRefused, decideOrRefuse, LAST_WORDS } from "./fail-closed.ts";
import type { ChildParts } from "./parts.ts";
import { callLifeMs } from "./settings.ts";
import { takeCall } from "./take-call.ts";

/** Decides calls, many at once, until it is closed. */
export interface Decider {
  /** Decides one call. Never rejects. */
  decide(call: ToolCall, options?: DecideOptions): Promise<Outcome>;
  /** Lets no further call in. */
  close(): void;
  /** Waits for the calls that are being decided. */
  idle(): Promise<void>;
}

/** Opens the deciding of calls; `lifeMs` is the life of an ask whose call says nothing else. */
export function openDecider(parts: ChildParts, lifeMs: number): Decider {
  const running = new Set<Promise<Outcome>>();
  let closed = false;

  function openSite(given: ToolCall, options: DecideOptions): CallSite {
    if (closed) throw new CallRefused("cancelled");
    const call = takeCall(given);
    return {
      call,
      signal: options.signal,
      lifeMs: callLifeMs(options.timeoutMs, lifeMs),
      records: {
        draft: parts.draft,
        agentName: parts.self.agentName,
        toolCallId: call.toolCallId ?? null,
      },
      owed: oweRecords(() => parts.clock.now()),
      settled: [],
      told: 0,
      request: null,
      raised: null,
    };
  }

  return {
    decide: async (call, options = {}) => {
      const done = decideOrRefuse(parts, () => openSite(call, options)).catch(lastRefusal);
      running.add(done);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    close: () => {
      closed = true;
    },
    idle: async () => {
      await Promise.all(running);
    },
  };
}

/** What is left when even the refusal failed. */
function lastRefusal(): Outcome {
  const decidedBy = { kind: "gate_error", reason: "unknown" } as const;
  return {
    outcome: "lost",
    lost: "gate_error",
    text: LAST_WORDS,
    waitedMs: 0,
    requests: [
      {
        requestId: mintRequestId(),
        surface: "unknown",
        value: "",
        outcome: "lost",
        lost: "gate_error",
        resolution: "gate_error",
        decidedBy,
      },
    ],
  };
}
