import type { Line } from "../../test/support/askfabric.ts";
import type { Node } from "../nodes/node.ts";
import type { Random } from "../random.ts";
import { type Call, endOfLine, isOpen } from "./call.ts";
import { type Kind, PATIENT_MS } from "./kinds.ts";

/** Puts calls to children and hears how they end. */
export interface Feed {
  readonly calls: readonly Call[];
  open(): number;
  /** Puts one call to a child; null when no process of it can be given one now. */
  put(child: Node, session: string, kind: Kind): Call | null;
  /** Told of a line that a child's process printed. */
  heard(process: string, line: Line): void;
  /** A process is gone, and with it every answer to what it was given. */
  gone(process: string): void;
  /** Lines that were no outcome of a call that had been put, nor a cancel that came late. */
  readonly strange: readonly string[];
}

/** Opens a feed without calls. `processOf` names the process of a node that runs now. */
export function openFeed(parts: {
  readonly random: Random;
  readonly processOf: (child: Node) => string;
}): Feed {
  const { random, processOf } = parts;
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  const strange: string[] = [];

  return {
    calls,
    strange,
    open: () => calls.filter(isOpen).length,
    put: (child, session, kind) => {
      const program = child.running();
      if (program === null || !child.takes) return null;
      const id = `call-${String(calls.length)}`;
      const filler = kind.bytes === undefined ? "" : ` ${"x".repeat(kind.bytes)}`;
      const command = `${kind.verb} part-${String(calls.length)}${filler}`;
      const call: Call = {
        id,
        kind,
        command,
        child: session,
        process: processOf(child),
        orphaned: false,
        lines: [],
        runs: 0,
      };
      calls.push(call);
      byId.set(id, call);
      const timeoutMs = kind.lifeMs?.(random) ?? PATIENT_MS;
      program.say({ id, toolName: "bash", input: { command }, toolCallId: id, timeoutMs });
      const backMs = kind.takenBack?.(random);
      if (backMs !== undefined) {
        setTimeout(() => {
          if (isOpen(call)) program.say({ id, cancel: true });
        }, backMs);
      }
      return call;
    },
    heard: (process, line) => {
      const call = byId.get(String(line["id"]));
      const end = endOfLine(line);
      if (call === undefined || end === null) {
        if (!isLateCancel(line)) strange.push(JSON.stringify(line));
        return;
      }
      call.lines.push({ process, line });
      if (end === "allowed") call.runs += 1;
    },
    gone: (process) => {
      for (const call of calls) if (call.process === process && isOpen(call)) call.orphaned = true;
    },
  };
}

function isLateCancel(line: Line): boolean {
  const error = line["error"] as { readonly code?: unknown } | undefined;
  return error?.code === "unknown_id";
}
