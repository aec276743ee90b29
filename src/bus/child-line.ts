import { MAX_ASK_BYTES, MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import type { Log } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import { bytesDigest } from "../wire/digest.ts";
import { encodeAsk, encodeCancel, encodePresence, encodeReceipt } from "../wire/encode.ts";
import { formatRemaining, REMAINING_HEADER } from "../wire/headers.ts";
import { createSubjects } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Bus } from "./bus.ts";
import { countDrops } from "./drops.ts";
import { hearDec } from "./hear-dec.ts";
import type { ChildInbound, ChildLine, SealedAsk } from "./lines.ts";
import { headerBlock } from "./message-check.ts";
import type { BusPort } from "./port.ts";
import { watchParents } from "./watch-parents.ts";

/** What a child's line is opened with. */
export interface ChildLineOptions {
  readonly bus: Bus;
  /** The child's own session id. */
  readonly session: string;
  /** The ask with this id that waits in this process, as it was sent last; undefined when none does. */
  readonly pending: (requestId: RequestId) => SealedAsk | undefined;
  /** Whether that ask was put to the parent with this token before another one is asked. */
  readonly hasLeft?: (requestId: RequestId, parentToken: string) => boolean;
  /** Called for every message that was accepted; what it throws is counted and logged. */
  readonly onInbound: (inbound: ChildInbound) => void;
  readonly log?: Log;
}

/** Opens the child's end of the ask protocol: one standing subscription, in place before the first ask. */
export function openChildLine(options: ChildLineOptions): ChildLine {
  const { port, prefix } = options.bus;
  const subjects = createSubjects(prefix);
  const self = encodeToken(options.session);
  const drops = countDrops(options.log);
  const { pending, hasLeft = (): boolean => false } = options;
  const check = options.bus.signatures?.check ?? null;
  const told = new Set<string>();
  const hearing = {
    subjects,
    self,
    pending,
    hasLeft,
    drops,
    check,
    disbelieved: (parent: string, why: string): void => {
      if (told.has(parent)) return;
      told.add(parent);
      options.log?.warn({ parent, why }, DISBELIEVED);
    },
  };
  const hear = drops.guard((delivery) => {
    const inbound = hearDec(hearing, delivery);
    if (inbound !== null) options.onInbound(inbound);
  });
  const standing = port.subscribe(subjects.filter("dec", { child: self }), hear);
  const watches = watchParents({ port, subjects, drops, onInbound: options.onInbound });
  return {
    seal: (ask) => seal(port, encodeAsk(ask), ask),
    publishAsk: (sealed, remainingMs) => {
      const parent = encodeToken(sealed.ask.targetSessionId);
      const rid = encodeToken(sealed.ask.id);
      return port.publish(subjects.of("ask", { parent, child: self }), sealed.body, {
        headers: { [REMAINING_HEADER]: formatRemaining(remainingMs) },
        reply: subjects.of("dec", { parent, child: self, rid }),
      });
    },
    publishCancel: (parent, cancel) => {
      const rid = encodeToken(cancel.requestId);
      const subject = subjects.of("cancel", { parent: encodeToken(parent), child: self, rid });
      return port.publish(subject, Buffer.from(encodeCancel(cancel)));
    },
    publishReceipt: (parent, receipt) =>
      port.publish(
        subjects.of("ack", { parent, child: self }),
        Buffer.from(encodeReceipt(receipt)),
      ),
    publishPresence: (parent, presence) =>
      port.publish(
        subjects.of("up", { parent: encodeToken(parent), child: self }),
        Buffer.from(encodePresence(presence)),
      ),
    watchParent: (parent) => watches.watch(parent),
    dropped: () => drops.counts(),
    close: () => {
      standing.unsubscribe();
      watches.close();
    },
  };
}

const DISBELIEVED =
  "what this parent says is not signed by a key of requireSigners, and is not believed; have it sign (signDecisions), or name its key";

const LARGEST_HEADERS = headerBlock({
  [REMAINING_HEADER]: formatRemaining(MAX_ASK_LIFE_MS),
}).length;

function seal(port: BusPort, text: string, ask: SealedAsk["ask"]): SealedAsk | null {
  const body = Buffer.from(text, "utf8");
  if (body.length > MAX_ASK_BYTES || body.length + LARGEST_HEADERS > port.maxPayloadBytes) {
    return null;
  }
  return Object.freeze({ ask, body, askDigest: bytesDigest(body) });
}
