import type { Ruling } from "../../src/ask/decision.ts";
import type { LostReason } from "../../src/ask/lost.ts";
import type { Presence, WithdrawnEffect } from "../../src/ask/messages.ts";
import type { Bus } from "../../src/bus/bus.ts";
import type { ParentInbound, ParentMessage } from "../../src/bus/lines.ts";
import { openParentLine } from "../../src/bus/parent-line.ts";

/** An ask as the double received it. */
export type HeardAsk = Extract<ParentInbound, { kind: "ask" }>;

/** A parent that hears everything and says only what a test lets it say. */
export interface ScriptedParent {
  /** Every ask that came, repeats too, oldest first. */
  readonly asks: readonly HeardAsk[];
  readonly cancels: readonly Extract<ParentInbound, { kind: "cancel" }>[];
  readonly receipts: readonly Extract<ParentInbound, { kind: "receipt" }>[];
  accept(ask: HeardAsk, incarnation?: string): void;
  /** Decides and returns the body, to be repeated by `repeat`. */
  decide(ask: HeardAsk, ruling?: Partial<Ruling>, incarnation?: string): string;
  refuse(ask: HeardAsk, lost: LostReason, proven?: boolean): void;
  withdraw(ask: HeardAsk, effect?: WithdrawnEffect): void;
  /** Sends a body as it is, with the proof of `nonce` or, by default, of the ask's own. */
  repeat(ask: HeardAsk, body: string, nonce?: string | null): void;
  beat(incarnation?: string, state?: Presence["state"]): void;
  close(): void;
}

/** Opens the double for `session`. */
export function scriptedParent(bus: Bus, session = "parent-1"): ScriptedParent {
  const asks: HeardAsk[] = [];
  const cancels: Extract<ParentInbound, { kind: "cancel" }>[] = [];
  const receipts: Extract<ParentInbound, { kind: "receipt" }>[] = [];
  const line = openParentLine({
    bus,
    session,
    onInbound: (inbound) => {
      if (inbound.kind === "ask") asks.push(inbound);
      if (inbound.kind === "cancel") cancels.push(inbound);
      if (inbound.kind === "receipt") receipts.push(inbound);
    },
  });
  const repeat = (heard: HeardAsk, body: string, nonce?: string | null): void => {
    const { childToken, ask } = heard;
    line.send(
      { childToken, requestId: ask.id, nonce: nonce === undefined ? ask.nonce : nonce },
      body,
    );
  };
  const say = (heard: HeardAsk, message: ParentMessage, nonce?: null): string => {
    const body = line.encode(message);
    repeat(heard, body, nonce);
    return body;
  };
  return {
    asks,
    cancels,
    receipts,
    repeat,
    accept: (heard, incarnation = "1.p") => {
      const { ask, askDigest } = heard;
      const message = { requestId: ask.id, askDigest, incarnation, state: "human" } as const;
      say(heard, { kind: "accepted", message });
    },
    decide: (heard, ruling = {}, incarnation = "1.p") =>
      say(heard, {
        kind: "decision",
        message: {
          requestId: heard.ask.id,
          askDigest: heard.askDigest,
          incarnation,
          approved: true,
          state: "approved",
          responderSessionId: session,
          respondedAt: heard.ask.createdAt + 1,
          decidedBy: { kind: "user", via: "dialog" },
          ...ruling,
        },
      }),
    refuse: (heard, lost, proven = true) => {
      const { ask, askDigest } = heard;
      const message = { requestId: ask.id, askDigest, lost, at: session };
      say(heard, { kind: "refused", message }, proven ? undefined : null);
    },
    withdraw: (heard, effect = "withdrawn") => {
      say(heard, { kind: "withdrawn", message: { requestId: heard.ask.id, effect } });
    },
    beat: (incarnation = "1.p", state = "up") => {
      const record = { n: 0, hash: "" };
      line.publishPresence({ session, incarnation, state, serving: true, openAsks: 0, record });
    },
    close: () => {
      line.close();
    },
  };
}
