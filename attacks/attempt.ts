import { randomUUID } from "node:crypto";
import type { AccountName } from "../src/access/roles.ts";
import { until } from "../test/support/until.ts";
import type { AttackedFleet } from "./fleet.ts";

/** What came of an attempt, and of the same act by one who has the right. */
export interface Outcome {
  /** Nothing of it reached whom it was meant for. */
  readonly refused: boolean;
  /** The act itself works: it had its effect when somebody did it who may. */
  readonly control: boolean;
}

/** One attempt to do what a credential does not allow. */
export interface Attempt {
  readonly what: string;
  /** Name of the speaker who tries it. */
  readonly by: string;
  readonly run: (fleet: AttackedFleet) => Promise<Outcome>;
}

/** A speaker publishes where it may not; whoever may hear everything in the account hears nothing of it. */
export function publishing(
  by: string,
  subject: string,
  what: string,
  { account = "fleet", headers }: { account?: AccountName; headers?: Record<string, string> } = {},
): Attempt {
  return {
    by,
    what: `${what}: publishes ${visible(subject)}`,
    run: async (fleet) => {
      const root = fleet.root[account];
      const heard = root.listen(subject);
      await root.settle();
      const [forged, granted] = [randomUUID(), randomUUID()];
      fleet.as(by).publish(subject, forged, headers);
      await fleet.as(by).settle();
      // What was published before arrives before.
      root.publish(subject, granted, headers);
      await arrival(heard, granted);
      const texts = heard.map(({ text }) => text);
      return { refused: !texts.includes(forged), control: texts.includes(granted) };
    },
  };
}

/** A speaker subscribes where it may not, and something is published there. */
export function subscribing(
  by: string,
  { filter, subject, queue }: { filter: string; subject: string; queue?: string },
  what: string,
  account: AccountName = "fleet",
): Attempt {
  return {
    by,
    what: `${what}: subscribes ${visible(filter)}`,
    run: async (fleet) => {
      const root = fleet.root[account];
      const spy = fleet.as(by);
      const [secret, mark] = [randomUUID(), randomUUID()];
      const allowed = root.listen(filter);
      await root.settle();
      const marks = spy.listen(`${spy.inbox}.${mark}`);
      const stolen = spy.listen(filter, queue);
      await spy.settle();
      root.publish(subject, secret);
      root.publish(`${spy.inbox}.${mark}`, mark);
      await arrival(marks, mark);
      await arrival(allowed, secret);
      return {
        refused: !stolen.some(({ text }) => text === secret),
        control: allowed.some(({ text }) => text === secret),
      };
    },
  };
}

/** A speaker asks something of the server's streams that it may not: it gets no answer. */
export function requesting(
  by: string,
  api: string,
  what: string,
  body: object | string = "",
): Attempt {
  return {
    by,
    what: `${what}: asks ${api}`,
    run: async (fleet) => {
      const root = fleet.root.audit;
      const spy = fleet.as(by);
      const [reply, mark] = [randomUUID(), randomUUID()];
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const answers = spy.listen(`${spy.inbox}.${reply}`);
      const marks = spy.listen(`${spy.inbox}.${mark}`);
      const granted = root.listen(`${root.inbox}.${reply}`);
      await Promise.all([spy.settle(), root.settle()]);
      spy.request(api, text, `${spy.inbox}.${reply}`);
      await spy.settle();
      root.request(api, text, `${root.inbox}.${reply}`);
      await until("the answer to one who may ask", () => granted.length > 0).catch(() => null);
      const home = ["sink", "provisioner"].includes(by) ? "audit" : "fleet";
      fleet.root[home].publish(`${spy.inbox}.${mark}`, mark);
      await arrival(marks, mark);
      return { refused: answers.every(isNobody), control: granted.some((one) => !isNobody(one)) };
    },
  };
}

/** The server's word that nobody listens there. */
const isNobody = ({ text }: { readonly text: string }): boolean => text === "";

async function arrival(heard: readonly { readonly text: string }[], text: string): Promise<void> {
  await until("what was published", () => heard.some((one) => one.text === text)).catch(() => null);
}

const visible = (subject: string): string => JSON.stringify(subject).slice(1, -1);
