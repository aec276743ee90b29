import { controlAnswersBy } from "../wire/control.ts";
import { RECORD_STREAM } from "../wire/record.ts";
import { createSubjects, type Subjects } from "../wire/subjects.ts";
import type { Role } from "./roles.ts";

/** Subjects a credential may publish and subscribe; nothing else reaches or leaves its connection. */
export interface Rights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** One line of the permission matrix. */
export interface Right {
  readonly may: "publish" | "subscribe";
  readonly subject: (subjects: Subjects, self: string) => string;
  readonly why: string;
}

const publish = (subject: Right["subject"], why: string): Right => ({
  may: "publish",
  subject,
  why,
});
const subscribe = (subject: Right["subject"], why: string): Right => ({
  may: "subscribe",
  subject,
  why,
});

const OWN_INBOX = subscribe(
  (of, self) => `${of.inbox(self)}.>`,
  "what answers a question of its own",
);

const HEARTBEATS = subscribe((of) => of.filter("hb", {}), "whether sessions serve");

const api = (call: string, why: string): Right => publish(() => `$JS.API.${call}`, why);

/** What each role may do, in the order in which docs show it. */
export const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  session: [
    publish((of, self) => of.filter("ask", { child: self }), "asks, as itself"),
    publish((of, self) => of.filter("ack", { child: self }), "receipts of decisions"),
    publish((of, self) => of.filter("cancel", { child: self }), "asks it takes back"),
    publish((of, self) => of.filter("up", { child: self }), "that it lives, to its parents"),
    publish((of, self) => of.filter("dec", { parent: self }), "answers to its children"),
    publish((of, self) => of.filter("hb", { session: self }), "its heartbeat"),
    publish((of, self) => of.filter("evt", { session: self }), "live events"),
    publish((of, self) => of.filter("audit", { session: self }), "records"),
    publish((of, self) => controlAnswersBy(of, self), "answers to operators"),
    subscribe((of, self) => of.filter("ask", { parent: self }), "asks of its children"),
    subscribe((of, self) => of.filter("ack", { parent: self }), "receipts of its children"),
    subscribe((of, self) => of.filter("cancel", { parent: self }), "asks that are taken back"),
    subscribe((of, self) => of.filter("up", { parent: self }), "which children live"),
    subscribe((of, self) => of.filter("dec", { child: self }), "answers of its parents"),
    HEARTBEATS,
    subscribe((of, self) => of.filter("ctl", { session: self }), "what operators want of it"),
    subscribe((of) => of.filter("frz", {}), "what is frozen"),
    OWN_INBOX,
  ],
  observer: [
    subscribe((of) => of.filter("evt", {}), "live events of every session"),
    HEARTBEATS,
    OWN_INBOX,
  ],
  operator: [
    publish((of, self) => of.filter("ctl", { operator: self }), "what it wants of a session"),
    subscribe((of) => of.filter("evt", {}), "live events of every session"),
    HEARTBEATS,
    OWN_INBOX,
  ],
  freezer: [
    publish((of, self) => of.filter("frz", { keeper: self }), "what is frozen"),
    subscribe((of) => of.filter("frz", {}), "what other keepers say"),
    HEARTBEATS,
    OWN_INBOX,
  ],
  sink: [
    api(`STREAM.INFO.${RECORD_STREAM}`, "the stream's state"),
    api(`CONSUMER.INFO.${RECORD_STREAM}.*`, "its place in the stream"),
    api(`CONSUMER.CREATE.${RECORD_STREAM}.>`, "its consumer"),
    api(`CONSUMER.DURABLE.CREATE.${RECORD_STREAM}.*`, "its consumer, on older servers"),
    api(`CONSUMER.MSG.NEXT.${RECORD_STREAM}.*`, "records"),
    publish(() => `$JS.ACK.${RECORD_STREAM}.>`, "that it keeps them"),
    OWN_INBOX,
  ],
  provisioner: [
    api(`STREAM.INFO.${RECORD_STREAM}`, "the stream's state"),
    api(`STREAM.CREATE.${RECORD_STREAM}`, "the stream"),
    api(`STREAM.UPDATE.${RECORD_STREAM}`, "the stream's limits"),
    OWN_INBOX,
  ],
  doctor: [
    publish(
      (of, self) => of.filter("ctl", { operator: self, op: "doctor" }),
      "how a session fares",
    ),
    HEARTBEATS,
    OWN_INBOX,
  ],
};

/**
 * What a credential may do.
 *
 * @param prefix - Prefix of the fleet.
 * @param self - The speaker's name as a token.
 * @throws RangeError when either is none.
 */
export function rightsOf(role: Role, prefix: string, self: string): Rights {
  const subjects = createSubjects(prefix);
  const of = (may: Right["may"]): readonly string[] =>
    RIGHTS[role].filter((right) => right.may === may).map((right) => right.subject(subjects, self));
  return { publish: of("publish"), subscribe: of("subscribe") };
}

/** One list of subjects, allowed or denied. */
type Listed = { readonly [rule in "allow" | "deny"]?: string[] };

/** Rights of a user or a role's key in a JWT, without limits beside them. */
export interface JwtRights {
  readonly pub: Listed;
  readonly sub: Listed;
  readonly subs: number;
  readonly data: number;
  readonly payload: number;
}

/** Rights as a server reads them: to it, no list at all is every right there is. */
export function listed(subjects: readonly string[]): Listed {
  return subjects.length === 0 ? { deny: [">"] } : { allow: [...subjects] };
}

/** The rights of a user or of a role's key, as JWTs hold them. */
export function jwtRights({ publish, subscribe }: Rights): JwtRights {
  return { pub: listed(publish), sub: listed(subscribe), subs: -1, data: -1, payload: -1 };
}

/** Subjects that pass from the fleet's account into that of the audit stream. */
export const recordsOf = (prefix: string): string => createSubjects(prefix).filter("audit", {});

/** Subjects that pass back: the stream's acknowledgements. */
export const acksOf = (prefix: string): string =>
  `${createSubjects(prefix).prefix}.inbox.*.out.*.*`;
