import { column } from "../src/cli/audit-text.ts";
import { extentOf, wrapLine } from "../src/render/columns.ts";
import { LOST_SENTENCES } from "../src/render/lost-sentences.ts";
import { visibleText } from "../src/render/visible-text.ts";
import { LEAD, nameOf } from "./calls.ts";
import { deciderOf, type ToldCall, type ToldRequest } from "./told.ts";

/** Columns of everything the demo prints. */
export const WIDTH = 80;

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: "green" | "red" | "yellow" | "bold" | "dim", text: string) => string;

const GROUPS = [
  "the child's own rules",
  `the rules of ${LEAD}`,
  "a grant that a person had left",
  `a link of ${LEAD}`,
  `a person at ${LEAD}`,
  "nobody, so it does not run",
] as const;

type Group = (typeof GROUPS)[number];

const COLOURS = { allowed: "green", denied: "red", lost: "yellow" } as const;

const OUTCOME = 7;
const SESSION = 8;
const NAME = 30;
const WHY = WIDTH - 2 - OUTCOME - 1 - SESSION - 1 - NAME - 2;

/** Who decided each call and why, call by call under whoever decided. */
export function reportCalls(told: readonly ToldCall[], paint: Paint): string {
  const groups = Map.groupBy(told, (call) => groupOf(decisive(call)));
  const lines: string[] = [];
  for (const group of GROUPS) {
    const calls = groups.get(group);
    if (calls === undefined) continue;
    lines.push("", paint("bold", `Decided by ${group}:`));
    for (const call of calls) lines.push(...rowsOf(call, paint));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The request a call's end is put down to: the one that was refused, else the one highest decided. */
export function decisive({ requests, outcome, demo }: ToldCall): ToldRequest {
  const ranked = [...requests].sort((one, other) => rankOf(other) - rankOf(one));
  const refused = requests.find(({ request }) => request.outcome !== "allowed");
  const found = outcome.outcome === "allowed" ? ranked[0] : (refused ?? ranked[0]);
  if (found === undefined) throw new Error(`call ${demo.call.id} raised no request`);
  return found;
}

function rankOf(told: ToldRequest): number {
  return GROUPS.indexOf(groupOf(told));
}

function groupOf({ request }: ToldRequest): Group {
  const [own, lead, grant, link, person, nobody] = GROUPS;
  if (request.outcome === "lost") return nobody;
  switch (deciderOf(request).kind) {
    case "session_approval":
      return grant;
    case "authorizer":
      return link;
    case "user":
    case "forwarded":
      return person;
    case "unavailable":
    case "gate_error":
      return nobody;
    case "rule":
    case "yolo":
    case "infrastructure_read":
      return request.decidedBy.kind === "forwarded" ? lead : own;
  }
}

function rowsOf(call: ToldCall, paint: Paint): readonly string[] {
  const { outcome } = call.outcome;
  const told = decisive(call);
  const others = call.requests.filter((one) => one !== told);
  const why = [
    ...wrapLine(visibleText(whyOf(told)), WHY),
    ...others.flatMap((one) => wrapLine(visibleText(`and: ${whyOf(one)}`), WHY)),
  ];
  const head = `${column(call.demo.session, SESSION)} ${column(nameOf(call.demo), NAME)}`;
  const blank = " ".repeat(2 + OUTCOME + 1 + extentOf(head));
  return why.map((row, place) =>
    place === 0
      ? `  ${paint(COLOURS[outcome], outcome.padEnd(OUTCOME))} ${head}  ${row}`.trimEnd()
      : `${blank}  ${row}`.trimEnd(),
  );
}

/** Why a request ended as it did, in the words of the rule, grant, link or person. */
function whyOf({ request, reason, story }: ToldRequest): string {
  const decider = deciderOf(request);
  const said = reason === null ? "" : `: ${reason}`;
  switch (decider.kind) {
    case "rule":
      return `rule ${decider.surface} ${decider.pattern ?? "(default)"}${said}`;
    case "session_approval":
      return `${request.decidedBy.kind === "forwarded" ? "for every child" : "for this child"}: ${decider.pattern ?? ""}`;
    case "authorizer":
      return `link ${decider.name}${said}`;
    case "user":
      return `${personOf(request.outcome, grantOf(story.entries), request.state)}${said}`;
    case "unavailable":
    case "gate_error": {
      const { lost } = request;
      return lost === undefined ? decider.reason : `${lost}: ${LOST_SENTENCES[lost].what}`;
    }
    case "yolo":
      return "yolo mode";
    case "infrastructure_read":
      return "a file of the host's own";
    case "forwarded":
      return "not said";
  }
}

function personOf(outcome: string, grant: string | null, state: string | undefined): string {
  if (outcome === "denied") return "no";
  if (grant === null) return "once";
  return `${state === "approved_for_session" ? "for this child" : "for every child"}: ${grant}`;
}

function grantOf(entries: ToldRequest["story"]["entries"]): string | null {
  for (const { record } of entries) {
    const { content } = record;
    if (content?.["event"] === "grant.recorded") return String(content["pattern"]);
  }
  return null;
}
