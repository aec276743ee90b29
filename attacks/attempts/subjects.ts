import { type Attempt, publishing, subscribing } from "../attempt.ts";
import { PREFIX } from "../fleet.ts";

const RID = "perm-11111111-1111-4111-8111-111111111111";
const s = (tail: string): string => `${PREFIX}.${tail}`;

/** What a hostile session publishes as somebody else. */
const FORGERIES: readonly (readonly [subject: string, what: string])[] = [
  [s("ask.lead.worker-1"), "asks as another session"],
  [s("ask.lead.alice"), "asks as an operator"],
  [s(`dec.lead.worker-1.${RID}`), "answers for another session"],
  [s(`dec.lead.mallory.${RID}`), "answers itself in another's name"],
  [s("ack.lead.worker-1"), "acknowledges for another"],
  [s(`cancel.lead.worker-1.${RID}`), "takes another's ask back"],
  [s("up.lead.worker-1"), "says that another lives"],
  [s("hb.lead"), "sends another's heartbeat, which would stop it"],
  [s("hb.worker-1"), "sends another's heartbeat"],
  [s("evt.lead.ui_prompt"), "forges a live event"],
  [s("evt.lead.decision"), "forges a decision's event"],
  [s("evt.worker-1.ready"), "forges that another is ready"],
  [s("audit.lead.review"), "forges a record of another"],
  [s("audit.lead.decision"), "forges the record of a decision"],
  [s("audit.worker-1.ui_prompt"), "forges the record of a prompt"],
  [s("ctl.lead.alice.answer"), "answers as an operator"],
  [s("ctl.lead.mallory.answer"), "is an operator under its own name"],
  [s("ctl.lead.mallory.list"), "lists what is pending"],
  [s("ctl.worker-1.alice.revoke"), "revokes a grant"],
  [s("frz.frida"), "freezes as the keeper"],
  [s("frz.mallory"), "is a keeper under its own name"],
  [s("inbox.worker-1.out.0.1"), "acknowledges another's record as the stream would"],
  [s("inbox.lead.x"), "speaks into another's inbox"],
  [s("inbox.alice.ctl.lead.1"), "answers an operator for another session"],
  ["af.v1.other.hb.lead", "speaks into another fleet"],
  ["af.v1.other.ask.lead.mallory", "asks in another fleet"],
  ["$JS.API.STREAM.INFO.AUDIT", "reaches for streams"],
  ["$JS.ACK.AUDIT.sink.1.1.1.1.1", "acknowledges for the sink"],
  ["$SYS.REQ.SERVER.PING", "reaches for the server"],
  ["$SYS.REQ.USER.AUTH", "reaches for the server's authority"],
  ["_INBOX.x.y", "speaks into common inboxes"],
  ["foreign.subject", "speaks outside of the fleet"],
];

/** What a hostile session listens to. */
const SPYING: readonly (readonly [
  filter: string,
  subject: string,
  what: string,
  queue?: string,
])[] = [
  [s("ask.lead.*"), s("ask.lead.worker-1"), "reads another's asks"],
  [s("ask.*.*"), s("ask.lead.worker-1"), "reads all asks"],
  [s("ask.>"), s("ask.lead.worker-1"), "reads all asks by the long wildcard"],
  [s("ask.lead.*"), s("ask.lead.worker-1"), "steals another's asks by a queue", "q"],
  [s("dec.*.worker-1.*"), s(`dec.lead.worker-1.${RID}`), "reads another's decisions"],
  [s("dec.>"), s(`dec.lead.worker-1.${RID}`), "reads all decisions"],
  [s("ack.lead.*"), s("ack.lead.worker-1"), "reads receipts"],
  [s("cancel.lead.*.*"), s(`cancel.lead.worker-1.${RID}`), "reads cancels"],
  [s("up.lead.*"), s("up.lead.worker-1"), "reads who lives"],
  [s("evt.*.*"), s("evt.lead.ui_prompt"), "reads live events"],
  [s("audit.*.*"), s("audit.lead.review"), "reads records"],
  [s("audit.>"), s("audit.lead.decision"), "reads records by the long wildcard"],
  [s("ctl.lead.*.*"), s("ctl.lead.alice.answer"), "reads what operators want"],
  [s("inbox.worker-1.>"), s("inbox.worker-1.x"), "reads another's inbox"],
  [s("inbox.*.out.*.*"), s("inbox.lead.out.0.1"), "reads acknowledgements"],
  [s("inbox.>"), s("inbox.lead.x"), "reads all inboxes"],
  [s("*.lead.worker-1"), s("ask.lead.worker-1"), "puts a wildcard for the purpose"],
  [s(">"), s("ask.lead.worker-1"), "reads the fleet"],
  ["af.>", s("ask.lead.worker-1"), "reads every fleet"],
  ["*.*.*.*.*.*", s("ask.lead.worker-1"), "reads by wildcards alone"],
  [">", s("ask.lead.worker-1"), "reads everything"],
  ["$JS.>", "$JS.API.INFO", "reads the streams' requests"],
  ["$SYS.REQ.USER.AUTH", "$SYS.REQ.USER.AUTH", "decides who connects", "askfabric-auth"],
];

/** What other roles try beyond their own. */
const OTHERS: readonly Attempt[] = [
  publishing("alice", s("ask.lead.alice"), "an operator is a session"),
  publishing("alice", s(`dec.lead.worker-1.${RID}`), "an operator decides past the session"),
  publishing("alice", s("hb.alice"), "an operator serves"),
  publishing("alice", s("audit.alice.review"), "an operator writes records"),
  publishing("alice", s("ctl.lead.bob.answer"), "an operator is another one"),
  publishing("alice", s("frz.alice"), "an operator freezes"),
  publishing("alice", s("inbox.bob.ctl.lead.1"), "an operator answers another"),
  publishing("olga", s("ctl.lead.olga.answer"), "an observer answers"),
  publishing("olga", s("evt.lead.ui_prompt"), "an observer makes events"),
  publishing("olga", s("ask.lead.olga"), "an observer asks"),
  publishing("frida", s("frz.other"), "a keeper freezes as another"),
  publishing("frida", s("ctl.lead.frida.answer"), "a keeper answers"),
  publishing("dora", s("ctl.lead.dora.answer"), "a doctor answers"),
  publishing("dora", s("ctl.lead.alice.doctor"), "a doctor is an operator"),
  publishing("sink", s("audit.lead.review"), "a sink forges a record", { account: "audit" }),
  publishing("provisioner", s("audit.lead.review"), "a provisioner forges a record", {
    account: "audit",
  }),
  subscribing(
    "alice",
    { filter: s("ask.*.*"), subject: s("ask.lead.worker-1") },
    "an operator reads asks with their secrets",
  ),
  subscribing(
    "alice",
    { filter: s("ctl.*.*.*"), subject: s("ctl.lead.bob.answer") },
    "an operator reads another's acts",
  ),
  subscribing(
    "alice",
    { filter: s("inbox.bob.>"), subject: s("inbox.bob.ctl.lead.1") },
    "an operator reads another's answers",
  ),
  subscribing(
    "olga",
    { filter: s("ask.*.*"), subject: s("ask.lead.worker-1") },
    "an observer reads asks with their secrets",
  ),
  subscribing(
    "olga",
    { filter: s("dec.*.*.*"), subject: s(`dec.lead.worker-1.${RID}`) },
    "an observer reads decisions",
  ),
  subscribing(
    "dora",
    { filter: s("evt.*.*"), subject: s("evt.lead.ui_prompt") },
    "a doctor reads live events",
  ),
  subscribing(
    "sink",
    { filter: s("audit.*.*"), subject: s("audit.lead.review") },
    "a sink reads past the stream",
    "audit",
  ),
];

/** Every attempt on a subject. */
export const ON_SUBJECTS: readonly Attempt[] = [
  ...FORGERIES.map(([subject, what]) => publishing("mallory", subject, what)),
  ...SPYING.map(([filter, subject, what, queue]) =>
    subscribing("mallory", { filter, subject, ...(queue === undefined ? {} : { queue }) }, what),
  ),
  ...OTHERS,
];
