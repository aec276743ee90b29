import type { DecisionSource } from "../ask/decision.ts";
import type { RuleAction } from "../ask/verdict.ts";
import { column, filled, wholeLine } from "./audit-text.ts";
import type { ConclusionLine, ExplainedLine, ReadingLine, VoiceLine } from "./lines.ts";

type Explained = ExplainedLine["explained"];

/** What a line is continued with stands deeper than any line begins. */
const INDENT = 10;

const WORDS: Readonly<Record<RuleAction, string>> = {
  allow: "allowed",
  ask: "asked",
  deny: "denied",
};

/**
 * A call explained for a person: each request with every rule that has a say on it, from lowest to highest, an
 * arrow before the one that decides; then what a parent would say, and what the call comes to.
 */
export function explainText(
  requests: readonly Explained[],
  { conclusion }: ConclusionLine,
  width: number,
): string {
  const told = requests.filter((one) => one.raised);
  const silent = requests.filter((one) => !one.raised);
  const lines = [
    ...told.flatMap((one, place) => [...requestText(one, `${place + 1}. `, width), ""]),
    ...(silent.length === 0
      ? []
      : [`Silent, for no rule of their own speaks: ${silent.map(nameOf).join(", ")}.`, ""]),
    conclusion.text,
  ];
  return lines.map((line) => wholeLine(line, width, INDENT)).join("");
}

function nameOf({ surface, value }: Explained): string {
  return `${surface} ${value}`;
}

function requestText(request: Explained, number: string, width: number): readonly string[] {
  const { readings, state, decidedBy, floor, overlays, parent } = request;
  return [
    `${number}${nameOf(request)}`,
    ...readings.flatMap((reading) => readingText(reading, request.surface, width)),
    ...(floor === null ? [] : [`   ${floor}: the facts do not say enough to allow`]),
    ...overlays.map((name) => `   ${OVERLAYS[name] ?? name}`),
    `   => ${WORDS[state]}${byWhom(decidedBy)}${decidedBy === null ? whyAsked(readings) : ""}`,
    parentText(parent),
  ];
}

const OVERLAYS: Readonly<Partial<Record<string, string>>> = {
  "fail-closed": "fail-closed: a scope cannot be read, so the allow is an ask",
  yolo: "yolo: the ask is an allow",
};

const KINDS: Readonly<Record<ReadingLine["kind"], string>> = {
  value: "as",
  unit: "unit",
  reading: "read as",
  path: "path",
};

function readingText(reading: ReadingLine, asked: string, width: number): readonly string[] {
  const { kind, surface, values, floor, counts, wins, agent, voices } = reading;
  const whose = agent === null ? "" : ` (rules of ${agent})`;
  const note = counts ? "" : `  [${kind === "path" ? "by default alone" : "says nothing new"}]`;
  const on = surface === asked ? "" : ` on ${surface}`;
  const turned = isAllowed(voices) ? "so the allow is an ask" : "an allow would be an ask";
  return [
    `   ${KINDS[kind]} ${values.map((value) => JSON.stringify(value)).join(", ")}${on}${whose}${note}${wins ? "  <== decides" : ""}`,
    ...voices.flatMap((voice) => voiceText(voice, width)),
    ...(floor === null ? [] : [`        ${floor}: ${turned}`]),
  ];
}

function isAllowed(voices: readonly VoiceLine[]): boolean {
  return voices.some(({ decides, action }) => decides && action === "allow");
}

function voiceText(voice: VoiceLine, width: number): readonly string[] {
  const { from, surface, pattern, action, origin, place, reason, decides } = voice;
  const name = from === "default" ? "default" : `${surface} ${JSON.stringify(pattern)}`;
  const filed = place === undefined ? (WHERE[origin] ?? origin) : `${origin}, ${place}`;
  const where = from === "grant" ? "grant of this session" : filed;
  const said = filled(`${decides ? "->" : "  "} ${name}`, Math.min(44, Math.floor(width / 2)));
  return [
    `     ${said}  ${column(action, 5)}  ${where}`,
    ...(reason === undefined || !decides ? [] : [`        because ${JSON.stringify(reason)}`]),
  ];
}

const WHERE: Readonly<Partial<Record<string, string>>> = {
  builtin: "built in",
  baseline: "built in, since an MCP rule allows",
};

function byWhom(decidedBy: DecisionSource | null): string {
  if (decidedBy?.kind === "rule") {
    const { surface, pattern, origin } = decidedBy;
    const rule = pattern === null ? "the default" : `${surface} ${JSON.stringify(pattern)}`;
    return ` by ${rule} (${String(origin)})`;
  }
  if (decidedBy?.kind === "session_approval") {
    return ` by a grant for ${decidedBy.surface} ${JSON.stringify(decidedBy.pattern)}`;
  }
  if (decidedBy?.kind === "yolo") return " by yolo mode";
  const isHosts = decidedBy?.kind === "infrastructure_read";
  return isHosts ? ", because it reads the host program's own files" : "";
}

function whyAsked(readings: readonly ReadingLine[]): string {
  const winner = readings.find(({ wins }) => wins);
  if (winner === undefined || winner.floor === null || !isAllowed(winner.voices)) return "";
  return `, for ${winner.floor} keeps any rule from allowing it`;
}

function parentText({ state, decidedBy, floor }: Explained["parent"]): string {
  if (decidedBy !== null) return `   a parent: ${WORDS[state]}${byWhom(decidedBy)}`;
  const why = floor === null ? "" : `, for ${floor} keeps any rule from allowing it`;
  return `   a parent: asks its links, then a person${why}`;
}
