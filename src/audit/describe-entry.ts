import type { ReviewEvent } from "../ask/record.ts";
import { type ReadableRecord, textIn, valueIn } from "./read-record.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One line about a record for a person, without its time and its session. Not yet safe for a screen. */
export function describeEntry(record: ReadableRecord): string {
  if (record.content === null) {
    return record.stored.body === null ? "its body was erased" : "its body cannot be read";
  }
  const event = textIn(record, "event");
  const known = event === null ? KINDS[record.head.kind] : sentenceOf(event);
  const said = (known ?? ((): string => event ?? record.head.kind))(record);
  const parts = [said, endOf(record)].filter((part) => part !== "");
  return parts.join("; ");
}

type Describe = (record: ReadableRecord) => string;

const KINDS: Readonly<Partial<Record<string, Describe>>> = {
  ui_prompt: (record) => `shown to a person${againOf(record)}`,
  decision: (record) => `decision: ${textIn(record, "result") ?? "unknown"}`,
};

/** A sentence for every event, so that none is ever shown by its bare name. */
const EVENTS: Readonly<Record<ReviewEvent, Describe>> = {
  "permission_request.waiting": (record) =>
    `waits for somebody (${ruleOf(textIn(record, "matchedPattern"))} asks)`,
  "permission_request.approved": () => "approved",
  "permission_request.denied": () => "denied",
  "permission_request.session_approved": () => "allowed by what was granted before",
  "permission_request.auto_approved": () => "allowed without asking (yoloMode)",
  "permission_request.infrastructure_auto_allowed": () => "allowed: any tool may read this",
  "permission_request.blocked": () => "blocked",
  "forwarded_permission.request_created": (record) => {
    const wireId = textIn(record, "wireId");
    return `asks ${textIn(record, "targetSessionId") ?? "somebody"}${wireId === null ? "" : ` as ${wireId}`}`;
  },
  "forwarded_permission.accepted": (record) => {
    const parent = textIn(record, "targetSessionId");
    if (parent === null) return `takes the ask of ${requesterOf(record)}`;
    return `${parent} has it (${textIn(record, "state") ?? "no state"})`;
  },
  "forwarded_permission.response_received": (record) =>
    `hears from ${textIn(record, "responderSessionId") ?? "its parent"}: ${textIn(record, "state") ?? "no state"}`,
  "forwarded_permission.response_timed_out": () => "no answer came in time",
  "forwarded_permission.no_serving_session": (record) =>
    `nobody serves ${textIn(record, "targetSessionId") ?? "its parent"}${nextOf(record)}`,
  "forwarded_permission.cancelled": () => "the ask was taken back",
  "forwarded_permission.prompted": (record) => `puts it to a person${againOf(record)}`,
  "forwarded_permission.auto_approved": () => "allows it",
  "forwarded_permission.auto_denied": () => "denies it",
  "forwarded_permission.session_recorded": () => "keeps what the person granted",
  "forwarded_permission.approved": () => "allows it",
  "forwarded_permission.denied": (record) =>
    isUndecided(valueIn(record, "decidedBy")) ? "cannot have it decided" : "denies it",
  "forwarded_permission.late_decision": () => "the verdict had no effect at the child",
  "forwarded_permission.serving_started": () => "begins to serve",
  "forwarded_permission.serving_stopped": () => "stops serving",
  "forwarded_permission.relay_started": () => "begins to pass asks on",
  "forwarded_permission.relay_stopped": () => "stops passing asks on",
  "permission_forwarding.warning": (record) => `the ask could not go its way${nextOf(record)}`,
  "permission_forwarding.error": () => "something failed on the ask's way",
  authorizer_chain_resolved: (record) => `asks its links: ${linksOf(record)}`,
  authorizer_chain_delegated: (record) => `leaves links to its parent: ${linksOf(record)}`,
  authorizer_chain_unregistered_link: (record) =>
    `skips link ${textIn(record, "name") ?? ""}, which is not there`,
  authorizer_link_failed: (record) => `link ${textIn(record, "name") ?? ""} failed and deferred`,
  authorizer_link_vacant: (record) => `link ${textIn(record, "name") ?? ""} is vacant and deferred`,
  "grant.recorded": (record) => `leaves a grant: ${ruleIn(record)}`,
  "grant.revoked": (record) => `grant revoked: ${ruleIn(record)}`,
  "grant.expired": (record) => `grant expired: ${ruleIn(record)}`,
  "freeze.applied": () => "a freeze began: nothing is allowed",
  "freeze.lifted": () => "the freeze ended",
  "operator.answered": (record) => {
    const act = OPERATOR_ACTS.get(textIn(record, "op"))?.(record) ?? "was answered";
    return `operator ${textIn(record, "operator") ?? "unknown"} ${act}`;
  },
  "operator.refused": (record) =>
    `operator ${textIn(record, "operator") ?? "unknown"} was refused (${textIn(record, "op") ?? "no op"})`,
  "config.resolved": (record) =>
    valueIn(record, "ok") === false ? "its configuration has faults" : "read its configuration",
  "config.issue": (record) => {
    const place = [textIn(record, "source"), textIn(record, "path")].filter(Boolean).join(" ");
    return `fault of its configuration at ${place || "no place"}: ${textIn(record, "message") ?? "not said"}`;
  },
  "audit.started": () => "a process of the session began",
  "audit.stopped": () => "a process of the session ended",
  "audit.gap": () => "records are missing",
  "audit.oversize": () => "a record too large to keep stood here",
};

const OPERATOR_ACTS: ReadonlyMap<string | null, Describe> = new Map<string, Describe>([
  ["show", () => "was shown it"],
  ["answer", (record) => (valueIn(record, "approved") === true ? "allowed it" : "denied it")],
  ["revoke", (record) => `took grant ${textIn(record, "grantId") ?? ""} back`],
]);

function sentenceOf(event: string): Describe | undefined {
  return Object.hasOwn(EVENTS, event) ? EVENTS[event as ReviewEvent] : undefined;
}

function linksOf(record: ReadableRecord): string {
  const links = valueIn(record, "links");
  // What is no name may have no text either.
  const names = Array.isArray(links) ? links.filter((one) => typeof one === "string") : [];
  return names.join(", ") || "unknown";
}

function endOf(record: ReadableRecord): string {
  const parts: string[] = [];
  const lost = textIn(record, "lost");
  if (lost !== null) parts.push(`lost: ${wordsOf(lost)}`);
  const decider = deciderOf(valueIn(record, "decidedBy"));
  if (decider !== "") parts.push(`by ${decider}`);
  for (const key of ["denialReason", "why", "reason", "detail"]) {
    const text = textIn(record, key);
    if (text !== null) parts.push(`${key === "denialReason" ? "reason" : key}: ${text}`);
  }
  return parts.join("; ");
}

/** Who decided, in words; empty where nobody is named. */
export function deciderOf(source: unknown): string {
  if (typeof source !== "object" || source === null) return "";
  const fields = source as Fields;
  const text = (key: string): string => (typeof fields[key] === "string" ? fields[key] : "");
  switch (fields["kind"]) {
    case "user":
      return `a person (${[text("via"), text("approver")].filter(Boolean).join(", ")})`;
    case "authorizer":
      return `link ${text("name")} (${text("verdict")})`;
    case "rule":
      return `rule ${[text("surface"), text("pattern") || "(default)"].join(" ")} of ${text("origin") || "unknown origin"}`;
    case "session_approval":
      return `grant ${[text("surface"), text("pattern")].join(" ")}`;
    case "unavailable":
      return `nobody (${text("reason")})`;
    case "gate_error":
      return `an error (${text("reason")})`;
    case "forwarded":
      return `${text("responderSessionId")}: ${deciderOf(fields["decision"]) || "not said"}`;
    default:
      return wordsOf(text("kind"));
  }
}

function ruleIn(record: ReadableRecord): string {
  return `${textIn(record, "surface") ?? ""} ${textIn(record, "pattern") ?? ""}`;
}

/** Whether nobody ruled: such an ask is lost, and nobody is said to have denied it. */
function isUndecided(source: unknown): boolean {
  if (typeof source !== "object" || source === null) return false;
  const { kind, decision } = source as Fields;
  return kind === "unavailable" || kind === "gate_error" || isUndecided(decision);
}

function ruleOf(pattern: string | null): string {
  return pattern === null ? "the default" : `rule ${pattern}`;
}

function requesterOf(record: ReadableRecord): string {
  const session = textIn(record, "requesterSessionId") ?? "a session";
  const agent = textIn(record, "requesterAgentName");
  return agent === null || agent === "unknown" ? session : `${session} (${agent})`;
}

/** Where an ask goes that has moved on. */
function nextOf(record: ReadableRecord): string {
  const next = textIn(record, "nextSessionId");
  return next === null ? "" : `; goes to ${next} instead`;
}

function againOf(record: ReadableRecord): string {
  const again = valueIn(record, "reprompt");
  return typeof again === "number" && again > 0 ? ` (again, ${String(again)})` : "";
}

function wordsOf(name: string): string {
  return name.replaceAll("_", " ");
}
