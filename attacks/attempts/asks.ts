import { randomBytes, randomUUID } from "node:crypto";
import { bytesDigest } from "../../src/wire/digest.ts";
import { PROOF_HEADER } from "../../src/wire/headers.ts";
import { proofOf } from "../../src/wire/proof.ts";
import type { AskScene, Waiting } from "../ask-scene.ts";
import type { Outcome } from "../attempt.ts";
import { type AttackedFleet, PREFIX } from "../fleet.ts";
import type { Heard } from "../speaker.ts";

/** An attempt on programs that run: what is tried has its effect at a parent or a child, or not. */
export interface AskAttempt {
  readonly what: string;
  readonly by: string;
  readonly run: (fleet: AttackedFleet, scene: AskScene) => Promise<Outcome>;
}

type Body = Readonly<Record<string, unknown>>;
const bodyOf = ({ text }: Heard): Body => JSON.parse(text) as Body;
const decSubject = (requestId: string, child = "worker-1"): string =>
  `${PREFIX}.dec.lead.${child}.${requestId}`;

/** A decision that allows, as a parent would write it. */
function approval(waiting: Waiting, incarnation: unknown): string {
  return JSON.stringify({
    v: 1,
    requestId: waiting.requestId,
    askDigest: bytesDigest(Buffer.from(waiting.asked.text)),
    incarnation,
    approved: true,
    state: "approved",
    responderSessionId: "lead",
    respondedAt: Date.now(),
    decidedBy: { kind: "user", via: "dialog" },
  });
}

/** The incarnation that serves, from an answer of it; everybody hears it in heartbeats. */
async function incarnationOf(scene: AskScene): Promise<unknown> {
  const before = await scene.wait();
  await before.answer("allow");
  return bodyOf(await scene.decided(before.requestId))["incarnation"];
}

/** Tries to have a waiting call allowed; the person then denies it, and another one is allowed by them. */
async function againstChild(
  scene: AskScene,
  forge: (waiting: Waiting) => Promise<void>,
): Promise<Outcome> {
  const waiting = await scene.wait();
  await forge(waiting);
  const outcome = await waiting.answer("deny");
  const right = await scene.wait();
  return { refused: outcome === "denied", control: (await right.answer("allow")) === "allowed" };
}

/** An ask of mallory's own, made of one that was on the wire. */
function askOf(waiting: Waiting, changes: Body): string {
  const body = bodyOf(waiting.asked);
  const facts = body["accessIntent"] as Body;
  const id = `perm-${randomUUID()}`;
  const principal = { ...(facts["principal"] as Body), sessionId: "mallory" };
  return JSON.stringify({
    ...body,
    id,
    requesterSessionId: "mallory",
    accessIntent: { ...facts, principal },
    nonce: randomBytes(32).toString("base64url"),
    createdAt: Date.now(),
    expiresAt: Date.now() + 60_000,
    ...changes,
  });
}

/** Puts an ask of mallory's that should be shown to nobody, then an honest one, which is. */
async function againstParent(
  fleet: AttackedFleet,
  scene: AskScene,
  hostile: (waiting: Waiting) => { readonly text: string; readonly id: unknown },
): Promise<Outcome> {
  const waiting = await scene.wait();
  const mallory = fleet.as("mallory");
  const subject = `${PREFIX}.ask.lead.mallory`;
  const { text, id } = hostile(waiting);
  const before = scene.shown().length;
  mallory.publish(subject, text);
  await mallory.settle();
  const own = askOf(waiting, {});
  mallory.publish(subject, own);
  await mallory.settle();
  await waiting.answer("deny");
  // Asks are shown one after the other: what mallory put stands before this one, or nowhere.
  const after = await scene.wait();
  await after.answer("deny");
  const shown = scene.shown().slice(before);
  const honest = (JSON.parse(own) as Body)["id"];
  return {
    refused: !shown.some((one) => one === id),
    control: shown.some((one) => one === honest),
  };
}

/** An id that would be more than one token, or another's subject, if it were put into one as it is. */
const hostileId = (id: string): AskAttempt => ({
  by: "mallory",
  what: `has its parent answer elsewhere, by the id ${JSON.stringify(id).slice(0, 40)}`,
  run: async (fleet, scene) => {
    const said = fleet.root.fleet.listen(`${PREFIX}.>`);
    await fleet.root.fleet.settle();
    const { control } = await againstParent(fleet, scene, (waiting) => {
      return { text: askOf(waiting, { id }), id };
    });
    const about = said.filter(
      ({ subject, text }) => text.includes(JSON.stringify(id)) && subject.includes(".dec."),
    );
    const own = new RegExp(`^${PREFIX.replaceAll(".", "\\.")}\\.dec\\.lead\\.mallory\\.[\\w=-]+$`);
    return { refused: about.every(({ subject }) => own.test(subject)), control };
  },
});

/** Attempts on programs that run. */
export const ON_ASKS: readonly AskAttempt[] = [
  {
    by: "one who may publish answers and reads no ask",
    what: "forges five hundred decisions",
    run: async (fleet, scene) => {
      const incarnation = await incarnationOf(scene);
      return againstChild(scene, async (waiting) => {
        for (let n = 0; n < 500; n += 1) {
          const [subject, text] = [decSubject(waiting.requestId), approval(waiting, incarnation)];
          const nonce = randomBytes(32).toString("base64url");
          const proof = proofOf(nonce, { subject, body: Buffer.from(text) });
          fleet.root.fleet.publish(subject, text, { [PROOF_HEADER]: proof });
        }
        await fleet.root.fleet.settle();
      });
    },
  },
  {
    by: "one who may publish answers",
    what: "replays the decision of another call",
    run: async (fleet, scene) => {
      const earlier = await scene.wait();
      await earlier.answer("allow");
      const { text, headers } = await scene.decided(earlier.requestId);
      return againstChild(scene, async ({ requestId }) => {
        fleet.root.fleet.publish(decSubject(requestId), text, headers);
        await fleet.root.fleet.settle();
      });
    },
  },
  {
    by: "one who reads asks",
    what: "forges a decision to a child that demands signatures",
    run: async (fleet, scene) => {
      const incarnation = await incarnationOf(scene);
      const forge = async (child: "worker-1" | "worker-2"): Promise<unknown> => {
        const waiting = await scene.wait(child);
        const subject = decSubject(waiting.requestId, child);
        const text = approval(waiting, incarnation);
        const nonce = String(bodyOf(waiting.asked)["nonce"]);
        const proof = proofOf(nonce, { subject, body: Buffer.from(text) });
        fleet.root.fleet.publish(subject, text, { [PROOF_HEADER]: proof });
        await fleet.root.fleet.settle();
        return waiting.answer("deny");
      };
      // A child that demands none is deceived: that is what signatures are for.
      return {
        refused: (await forge("worker-2")) === "denied",
        control: (await forge("worker-1")) === "allowed",
      };
    },
  },
  {
    by: "one who may publish asks",
    what: "replays an ask that was answered",
    run: async (fleet, scene) => {
      const waiting = await scene.wait();
      await waiting.answer("deny");
      const { requestId, asked } = waiting;
      fleet.root.fleet.publish(asked.subject, asked.text, asked.headers);
      await fleet.root.fleet.settle();
      const next = await scene.wait();
      await next.answer("deny");
      const times = (id: string): number => scene.shown().filter((one) => one === id).length;
      return { refused: times(requestId) === 1, control: times(next.requestId) === 1 };
    },
  },
  {
    by: "mallory",
    what: "asks in another session's name",
    run: async (fleet, scene) =>
      againstParent(fleet, scene, (waiting) => {
        const id = `perm-${randomUUID()}`;
        return { text: askOf(waiting, { id, requesterSessionId: "worker-1" }), id };
      }),
  },
  {
    by: "mallory",
    what: "asks under the id of another session's ask",
    run: async (fleet, scene) =>
      againstChild(scene, async (waiting) => {
        const mallory = fleet.as("mallory");
        const text = askOf(waiting, { id: waiting.requestId });
        mallory.publish(`${PREFIX}.ask.lead.mallory`, text);
        await mallory.settle();
      }),
  },
  {
    by: "mallory",
    what: "takes another session's ask back under its own name",
    run: async (fleet, scene) =>
      againstChild(scene, async ({ requestId }) => {
        const mallory = fleet.as("mallory");
        const text = JSON.stringify({ v: 1, requestId, why: "cancelled" });
        mallory.publish(`${PREFIX}.cancel.lead.mallory.${requestId}`, text);
        await mallory.settle();
      }),
  },
  {
    by: "mallory",
    what: "claims an agent name that rules allow",
    run: async (fleet, scene) => {
      const waiting = await scene.wait();
      const mallory = fleet.as("mallory");
      const answers = mallory.listen(`${PREFIX}.dec.lead.mallory.*`);
      await mallory.settle();
      const facts = bodyOf(waiting.asked)["accessIntent"] as Body;
      const principal = { sessionId: "mallory", agentName: "trusted" };
      const claim = { requesterAgentName: "trusted", accessIntent: { ...facts, principal } };
      const status = { value: "git status", floor: null, context: null };
      const plain = { ...facts, matchValues: ["git status"], units: [status], paths: [] };
      const allowed = {
        value: "git status",
        accessIntent: { ...plain, principal: { sessionId: "mallory", agentName: "unknown" } },
        requesterAgentName: "unknown",
      };
      const subject = `${PREFIX}.ask.lead.mallory`;
      mallory.publish(subject, askOf(waiting, claim));
      mallory.publish(subject, askOf(waiting, allowed));
      await mallory.settle();
      await waiting.answer("deny");
      const after = await scene.wait();
      await after.answer("deny");
      const approved = answers.filter(({ text }) => text.includes('"approved":true'));
      return {
        refused: !approved.some(({ text }) => text.includes("trusted")) && approved.length <= 1,
        control: approved.length === 1,
      };
    },
  },
  ...["a.b", "*", ">", "a b", "x\r\nPUB y 0", "", "x".repeat(300)].map(hostileId),
];
