import { RECORD_STREAM } from "../wire/record.ts";
import { createSubjects, type Subjects } from "../wire/subjects.ts";

/** What a credential is for. One speaker has one role; an operator cannot be a session. */
export const ROLES = [
  "session",
  "observer",
  "operator",
  "freezer",
  "sink",
  "provisioner",
  "doctor",
] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Which account a role lives in: asks and records are kept apart. */
export type AccountName = "fleet" | "audit";

/** Subjects a credential may publish and subscribe; nothing else reaches or leaves its connection. */
export interface Rights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The account of a role. */
export const ACCOUNT_OF: Readonly<Record<Role, AccountName>> = {
  session: "fleet",
  observer: "fleet",
  operator: "fleet",
  freezer: "fleet",
  sink: "audit",
  provisioner: "audit",
  doctor: "fleet",
};

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

const STREAM = RECORD_STREAM;

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
    publish((of, self) => controlAnswers(of, "*", self), "answers to operators"),
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
    api(`STREAM.INFO.${STREAM}`, "the stream's state"),
    api(`CONSUMER.INFO.${STREAM}.*`, "its place in the stream"),
    api(`CONSUMER.CREATE.${STREAM}.>`, "its consumer"),
    api(`CONSUMER.DURABLE.CREATE.${STREAM}.*`, "its consumer, on older servers"),
    api(`CONSUMER.MSG.NEXT.${STREAM}.*`, "records"),
    publish(() => `$JS.ACK.${STREAM}.>`, "that it keeps them"),
    OWN_INBOX,
  ],
  provisioner: [
    api(`STREAM.INFO.${STREAM}`, "the stream's state"),
    api(`STREAM.CREATE.${STREAM}`, "the stream"),
    api(`STREAM.UPDATE.${STREAM}`, "the stream's limits"),
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

/** Subjects on which a session answers an operator: the speaker is pinned. */
function controlAnswers(of: Subjects, operator: string, session: string): string {
  return `${of.prefix}.inbox.${operator}.ctl.${session}.*`;
}

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

/** Rights as a server reads them: to it, no list at all is every right there is. */
export function listed(subjects: readonly string[]): {
  readonly [rule in "allow" | "deny"]?: string[];
} {
  return subjects.length === 0 ? { deny: [">"] } : { allow: [...subjects] };
}

/** Subjects that pass from the fleet's account into that of the audit stream. */
export const recordsOf = (prefix: string): string => createSubjects(prefix).filter("audit", {});

/** Subjects that pass back: the stream's acknowledgements. */
export const acksOf = (prefix: string): string =>
  `${createSubjects(prefix).prefix}.inbox.*.out.*.*`;
