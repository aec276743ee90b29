import { REVIEW_EVENTS, type RecordKind, type ReviewEvent } from "../../src/ask/record.ts";

/** What the body of a record holds: names of fields, `?` behind those that may be absent. */
export interface RecordShape {
  /** Who writes it: the session that asks, the one that serves, or the program of either. */
  readonly by: "child" | "parent" | "program";
  readonly when: string;
  readonly fields: readonly string[];
}

const list = (names: string): readonly string[] => names.split(" ");

/** A child's entry about a request. */
const REQUEST = list(
  "event requestId toolCallId source agentName surface toolName invokedToolName value matchedPattern commandContext executedUnit",
);
/** A child's entry about the way of a request to its parent. */
const WAY = list("event requestId toolCallId");
/** A parent's entry about an ask it holds. */
const HELD = list(
  "event requestId requesterSessionId requesterAgentName surface value toolCallId? origin? path?",
);
const END = list("resolution decidedBy denialReason?");
const LOSS = list("lost targetSessionId? forwarded? at? detail? why? owner? decidedBy?");
const GRANT = list("grantId surface pattern width scope grantedBy grantedAt expiresAt");
/** A grant as it stands, outside of any call. */
const STANDING = ["event", "requestId", ...GRANT, "uses"];

const child = (when: string, ...fields: readonly string[]): RecordShape => ({
  by: "child",
  when,
  fields,
});
const parent = (when: string, ...fields: readonly string[]): RecordShape => ({
  by: "parent",
  when,
  fields,
});
const program = (when: string, ...fields: readonly string[]): RecordShape => ({
  by: "program",
  when,
  fields,
});
const way = (when: string, more: readonly string[]): RecordShape => child(when, ...WAY, ...more);
const held = (when: string, more: readonly string[] = []): RecordShape =>
  parent(when, ...HELD, ...more);

/** Every review entry that is written, by event; what is not here is a name for later. */
export const ENTRY_SHAPES: Readonly<Partial<Record<ReviewEvent, readonly RecordShape[]>>> = {
  "permission_request.waiting": [
    child(
      "rules leave a request open",
      ...REQUEST,
      ...list("kind display accessIntent sessionApproval"),
    ),
  ],
  "permission_request.approved": [child("another session allowed it", ...REQUEST, ...END)],
  "permission_request.denied": [child("another session denied it", ...REQUEST, ...END)],
  "permission_request.session_approved": [
    child("a grant of this session allowed it", ...REQUEST, ...END),
  ],
  "permission_request.auto_approved": [child("`yoloMode` allowed it", ...REQUEST, ...END)],
  "permission_request.infrastructure_auto_allowed": [
    child("it reads what any tool may read", ...REQUEST, ...END),
  ],
  "permission_request.blocked": [
    child("a rule of this session denied it, or it was lost", ...REQUEST, ...END, "lost?"),
    child(
      "it was lost before it could be read, or its process died",
      ...WAY,
      ...list("agentName resolution decidedBy lost"),
    ),
  ],
  "forwarded_permission.request_created": [
    way(
      "the ask is on disk, before it leaves",
      list(
        "wireId? requesterAgentName requesterSessionId targetSessionId askDigest actionDigest expiresAt",
      ),
    ),
    way(
      "an ask of another session is on disk, before a relay passes it on",
      list(
        "requesterAgentName requesterSessionId targetSessionId origin path askDigest actionDigest expiresAt",
      ),
    ),
  ],
  "forwarded_permission.accepted": [
    way("the parent said that it has the ask", list("targetSessionId incarnation state")),
    held("the ask is on disk", ["resumed?"]),
  ],
  "forwarded_permission.response_received": [
    way(
      "a decision came and was verified",
      list(
        "targetSessionId responderSessionId incarnation approved state denialReason decidedBy respondedAt via decisionDigest",
      ),
    ),
  ],
  "forwarded_permission.response_timed_out": [
    way("the deadline came first", LOSS),
    held("the ask's life ended here", list("resolution lost detail?")),
  ],
  "forwarded_permission.no_serving_session": [way("nobody serves the parent", LOSS)],
  "forwarded_permission.cancelled": [
    way("the call was taken back", LOSS),
    held("its child took it back, or this session ended", list("resolution why? lost? detail?")),
  ],
  "forwarded_permission.prompted": [held("a person is shown the ask", ["reprompt"])],
  "forwarded_permission.auto_approved": [held("a rule or a grant allowed it", [...END, "links?"])],
  "forwarded_permission.auto_denied": [held("a rule denied it", [...END, "links?"])],
  "forwarded_permission.session_recorded": [held("a person's allow left grants here", ["grants"])],
  "forwarded_permission.approved": [
    held("a link or a person allowed it, or a session above", [...END, "links?", "via?"]),
  ],
  "forwarded_permission.denied": [
    held("a link, a person or a session above denied it, or nobody was there", [
      ...END,
      ...list("links? via?"),
    ]),
  ],
  "forwarded_permission.late_decision": [
    parent("a verdict had no effect at the child", ...list("event requestId why")),
  ],
  "forwarded_permission.serving_started": [parent("serving began", "event", "incarnation")],
  "forwarded_permission.serving_stopped": [parent("serving ended", "event", "reason")],
  "forwarded_permission.relay_started": [
    parent("from here on asks are passed on", "event", "targetSessionId"),
  ],
  "forwarded_permission.relay_stopped": [
    parent("asks are passed on no longer", "event", "targetSessionId"),
  ],
  "permission_forwarding.warning": [
    way("the ask was lost for a reason without an entry of its own", LOSS),
    parent(
      "an ask was refused at once, or could not be read",
      ...list("event requestId? lost requesterSessionId? fields? child?"),
    ),
    held("an ask was given back", list("resolution lost detail?")),
  ],
  "permission_forwarding.error": [
    way(
      "the check failed, a record could not be written, or the other end could not be read",
      LOSS,
    ),
    held("an ask was given back for a failure here", list("resolution lost detail?")),
  ],
  authorizer_chain_resolved: [held("links are about to be asked", ["links"])],
  authorizer_chain_delegated: [held("links are left to the node that decides", ["links"])],
  authorizer_chain_unregistered_link: [held("a name of the chain has no link", ["name"])],
  authorizer_link_failed: [held("a link failed and so deferred", list("name reason"))],
  authorizer_link_vacant: [held("nothing is behind a link's name", list("name reason"))],
  "grant.recorded": [
    child("an approval for this session left a grant", ...WAY, ...GRANT),
    parent("an approval for every child left a grant", ...STANDING),
  ],
  "grant.revoked": [
    program("`grants revoke` took a grant back", ...STANDING, ...list("revokedBy operator?")),
  ],
  "grant.expired": [
    child("a grant for this child is over", ...STANDING),
    parent("a grant for every child is over", ...STANDING),
  ],
  "operator.answered": [
    held("an operator was shown an ask", list("operator op shown")),
    held("an operator's answer counts", list("operator op approved scope shown")),
    parent("an operator took a grant back", ...list("event requestId operator op grantId")),
  ],
  "operator.refused": [
    parent(
      "what an operator wanted was refused",
      ...list("event operator op why requestId? grantId? omitted?"),
    ),
  ],
  "config.resolved": [
    program("a program read its configuration", ...list("event ok files scopes invalid yoloMode")),
  ],
  "config.issue": [program("one problem of it", ...list("event source path message rejects"))],
  "audit.started": [program("a process of the session begins", "event", "life")],
  "audit.stopped": [program("a process ended in order", "event", "clean")],
  "audit.oversize": [
    program(
      "a body over 448 KiB, in whose place this stands",
      ...list("event requestId? of digest size"),
    ),
  ],
};

const DECISION = list("requestId surface value agentName result resolution origin matchedPattern");

/** The bodies of the kinds that are no review entries. */
export const KIND_SHAPES: Readonly<Record<Exclude<RecordKind, "review">, readonly RecordShape[]>> =
  {
    ui_prompt: [
      parent(
        "a person is shown the ask",
        ...list("requestId source surface value agentName request forwarding reprompt?"),
      ),
    ],
    decision: [
      child("a request has ended, however", ...DECISION, "decidedBy", "lost?"),
      parent("an ask that reached links or a person has ended", ...DECISION, "forwarding?"),
    ],
  };

/** What each field says. */
export const FIELDS: Readonly<Record<string, string>> = {
  accessIntent: "the facts rules judge: surface, matched values, every command unit, every path",
  actionDigest: "SHA-256 of tool, input and working directory; null when there is none",
  agentName: "name of the agent, a claim; null when none was given",
  approved: "whether the decision allows",
  askDigest: "SHA-256 of the ask's bytes",
  at: "session that refused",
  child: "the child as the subject names it",
  clean: "true: nobody waits for the session any more",
  commandContext: "where in a shell command the unit stands; null at the top",
  decidedBy: "[who decided](wire-v1.md#decisionsource)",
  decisionDigest: "SHA-256 of the decision's bytes",
  denialReason: "words of whoever denied",
  detail: "more words of whoever refused",
  digest: "SHA-256 of the body that was too large",
  display: "what a person is shown: surface and value",
  event: "name of the entry",
  executedUnit: "what really runs inside a wrapper; null when equal",
  expiresAt: "end of the ask's life, or of a grant",
  fields: "names of fields that could not be read",
  files: "configuration files with path, state and digest",
  forwarded: "false: the ask never left this session",
  forwarding: "requester's session and agent, and the way; null for a local ask",
  grantId: "id of the grant",
  grantedAt: "when it was given",
  grantedBy: "name of the person; null when not known",
  grants: "what the approval allows from now on",
  incarnation: "process of the session, `epoch.random`",
  invalid: "scopes whose rules cannot be read",
  invokedToolName: "name that was called when it is another one for the shell",
  kind: "[kind of the payload](wire-v1.md#promptpayload)",
  life: "number of the session's life",
  links: "links by name; with an end: what each said",
  lost: "[why nobody ruled](../how-to/read-a-refused-ask.md#not-run)",
  matchedPattern: "pattern of the rule that fired; null for the default",
  message: "what is wrong",
  name: "name of the link",
  of: "event or kind of the record that was too large",
  ok: "whether every source counts",
  omitted: "refusals before it that were too many to be told one by one",
  op: "what an operator wanted: `list`, `show`, `answer`, `grants`, `revoke`",
  operator: "name of the operator, as the server attests it",
  origin: "of a relayed ask: who asked first; of a decision: scope of the rule",
  owner: "process that had asked and died",
  path: "sessions the ask has passed; of an issue: the key",
  pattern: "pattern of the grant",
  reason: "why a link failed, or serving ended",
  rejects: "whether the problem rejects its source",
  reprompt: "how often the ask was put to somebody before",
  request: "the facts of the request as a prompt shows them, without evidence",
  requestId: "id of the request",
  requesterAgentName: "agent of the session that asks",
  requesterSessionId: "session that asks",
  resolution: "how it ended, in the words of entries; of a decision: in those of live events",
  respondedAt: "when the parent decided, by its clock",
  responderSessionId: "session that says it decided",
  result: "`allow` or `deny`",
  resumed: "true: an earlier process of the parent had it",
  revokedBy: "who took the grant back: `operator`",
  scope: "whom the grant counts for: `child_session` or `serving_session`",
  scopes: "scopes that have rules",
  sessionApproval: "the grants an approval for this session would leave; null for none",
  shown: "digest of what the operator was shown",
  size: "bytes of the body that was too large",
  source: "`tool_call`, `skill_input` or `skill_read`; of an issue: the source of configuration",
  state: "who holds the ask, or how the decision reads",
  surface: "what kind of access it is",
  targetSessionId: "parent that is asked",
  toolCallId: "the host's own id of the call; null when it gave none",
  toolName: "name of the tool; null for skills",
  uses: "how often the grant was used",
  value: "what it is about: the command, path or tool",
  via: "sessions the decision came through",
  why: "why it was taken back, refused, or had no effect",
  width: "`proven` or `family`",
  wireId: "id of the ask on the wire where that is another",
  yoloMode: "whether `yoloMode` is on",
};

/** The names of events for which no shape stands: nothing of this version writes them. */
export const RESERVED_EVENTS = REVIEW_EVENTS.filter((event) => ENTRY_SHAPES[event] === undefined);

/** Says whether a body has every field of a shape, and none beside them. */
export function fitsShape(body: object, { fields }: RecordShape): boolean {
  const known = new Map(fields.map((name) => [name.replace("?", ""), name.endsWith("?")]));
  const keys = Object.keys(body);
  return (
    keys.every((key) => known.has(key)) &&
    [...known].every(([name, optional]) => optional || keys.includes(name))
  );
}
