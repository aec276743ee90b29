import type { Ask } from "../../src/ask/ask.ts";
import { countDrops } from "../../src/bus/drops.ts";
import { hearDec } from "../../src/bus/hear-dec.ts";
import type { BusDelivery } from "../../src/bus/port.ts";
import { promptView } from "../../src/cli/prompt-view.ts";
import { boundRecord } from "../../src/render/bound-record.ts";
import { buildDetails } from "../../src/render/details.ts";
import { buildUiPrompt } from "../../src/render/live-events.ts";
import { parseAsk } from "../../src/wire/ask.ts";
import { decodeText, readJson } from "../../src/wire/body.ts";
import { encodeAsk } from "../../src/wire/encode.ts";
import { parseCancel, parsePresence, parseReceipt } from "../../src/wire/messages.ts";
import { proofOf } from "../../src/wire/proof.ts";
import { readStoredAsk, withoutNonce } from "../../src/wire/stored-ask.ts";
import { createSubjects } from "../../src/wire/subjects.ts";
import { aDecision, anAsk } from "../support/asks.ts";
import { globally } from "../support/rules.ts";
import { type Border, REFUSED, type Told, taken } from "./border.ts";

const ASK: Ask = anAsk();
const SUBJECT = { parent: "parent-1", child: "child-1" };
const POLICY = globally({ "*": "ask", bash: { "*": "ask", "rm *": "deny" } });
const SHORT = promptView({ width: 80, maxRows: 24, fieldMaxWidth: 400 });

/** An ask as a parent takes it: read, kept, judged, shown to a person and recorded. */
const ask: Border = {
  name: "an ask",
  sound: encodeAsk(ASK),
  take: (bytes) => {
    const text = decodeText(bytes) ?? "";
    const parsed = parseAsk(SUBJECT, readJson(text));
    if (!parsed.ok) return REFUSED;
    const stored = withoutNonce(text);
    if (readStoredAsk(SUBJECT, stored) === null) throw new Error("a kept ask cannot be read");
    return { ...taken(shownOf(parsed.ask)), allows: isAllowed(parsed.ask) };
  },
};

function isAllowed({ accessIntent }: Ask): boolean {
  const intent = accessIntent ?? null;
  const { verdict } = POLICY.judgeForwarded({ intent, attestedAgent: null, grants: [] });
  return verdict === "allow";
}

function shownOf(read: Ask): string {
  const details = buildDetails(read);
  const { surface, value, title, rows, requester } = SHORT(details, false);
  // What is kept of it must be JSON again, whatever it says.
  JSON.stringify(boundRecord({ ...buildUiPrompt(details) }));
  return [surface, value, title, ...rows, requester.agentName, requester.host].join("\n");
}

const SUBJECTS = createSubjects("af.v1.test");
const DEC = SUBJECTS.of("dec", { ...SUBJECT, rid: ASK.id });
const SEALED = { ask: ASK, body: Buffer.from(encodeAsk(ASK)), askDigest: "digest-1" };

const DENIAL = aDecision({
  askDigest: SEALED.askDigest,
  approved: false,
  state: "denied_with_reason",
  denialReason: "no",
  via: ["relay-1"],
});

const ABOUT = {
  v: 1,
  requestId: ASK.id,
  askDigest: SEALED.askDigest,
  incarnation: "1.k3",
};

/** What a child hears on its decision subject from the parent it asked. */
function dec(name: string, message: object, isProven = true): Border {
  return {
    name: isProven ? name : `${name} without a proof`,
    sound: JSON.stringify(message),
    take: (bytes) => {
      const proof = proofOf(ASK.nonce, { subject: DEC, body: bytes });
      const delivery: BusDelivery = {
        subject: DEC,
        data: bytes,
        header: (header) => (isProven && header === "Af-Proof" ? proof : undefined),
        noResponders: false,
      };
      return heard(delivery);
    },
  };
}

function heard(delivery: BusDelivery): Told {
  const inbound = hearDec(
    {
      subjects: SUBJECTS,
      self: SUBJECT.child,
      pending: (requestId) => (requestId === ASK.id ? SEALED : undefined),
      drops: countDrops(),
    },
    delivery,
  );
  if (inbound === null || inbound.kind === "unreadable") return REFUSED;
  return { ...taken(), allows: inbound.kind === "decision" && inbound.message.approved };
}

/** A message that is read and nothing more. */
function message(name: string, sound: object, read: (value: unknown) => unknown): Border {
  return {
    name,
    sound: JSON.stringify(sound),
    take: (bytes) => (read(readJson(bytes)) === null ? REFUSED : taken()),
  };
}

/** Where a child and its parent hear each other. */
export const ASK_BORDERS: readonly Border[] = [
  ask,
  dec("a decision", { v: 1, ...DENIAL }),
  dec("accepted", { ...ABOUT, state: "human" }),
  dec("progress", { ...ABOUT, state: "human", heldBy: { kind: "human" }, ahead: 1 }),
  dec("a refusal", { v: 1, requestId: ASK.id, lost: "frozen", at: "parent-1", detail: "x" }),
  dec("a refusal", { v: 1, requestId: ASK.id, lost: "ask_malformed", at: "parent-1" }, false),
  dec("withdrawn", { v: 1, requestId: ASK.id, effect: "unknown" }),
  message(
    "a receipt",
    { v: 1, requestId: ASK.id, decisionDigest: "d", effect: "applied" },
    parseReceipt,
  ),
  message("a cancel", { v: 1, requestId: ASK.id, why: "aborted" }, parseCancel),
  message(
    "a presence",
    {
      v: 1,
      session: "child-1",
      incarnation: "1.k3",
      state: "closing",
      serving: true,
      openAsks: 0,
      successor: "child-2",
      record: { n: 1, hash: "h" },
    },
    parsePresence,
  ),
];
