import { readFileSync } from "node:fs";
import type { CallLine } from "../src/cli/lines.ts";
import { splitMcpName } from "../src/clients/mcp-name.ts";

/** The sessions that ask. */
export const CHILDREN = ["builder", "reviewer"] as const;

/** One of {@link CHILDREN}. */
export type ChildName = (typeof CHILDREN)[number];

/** The session that serves them. */
export const LEAD = "lead";

/** The session between the two, when there is one: the children ask it, and it asks the other. */
export const RELAY = "desk";

/** One tool call of the coding session that is replayed. */
export interface DemoCall {
  /** Calls of one turn are put at once, when all of the turns before have ended. */
  readonly turn: number;
  readonly session: ChildName;
  /** True for a call that its session takes back while it waits for a person. */
  readonly takenBack?: true;
  readonly call: CallLine & { readonly id: string };
}

/** The turn whose calls are put after the parent has ended. */
export const WITHOUT_LEAD = 3;

/** Reads the calls, in order. */
export function readCalls(): readonly DemoCall[] {
  const text = readFileSync(new URL("calls.jsonl", import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as DemoCall);
}

/** What a call would do, for a person: `bash git status`. May hold anything; not safe for a screen. */
export function nameOf({ call }: DemoCall): string {
  const { toolName, skill } = call;
  if (skill !== undefined) return `skill ${skill}`;
  const mcp = call.mcp ?? splitMcpName(toolName ?? "");
  if (mcp !== null && mcp !== "ambiguous") return `mcp ${mcp.server}:${mcp.tool}`;
  return `${toolName ?? ""} ${subjectOf(call)}`.trimEnd();
}

const SUBJECTS = ["command", "path", "url", "pattern", "description", "query"];

function subjectOf({ input }: CallLine): string {
  const subject = SUBJECTS.map((key) => input[key]).find((value) => typeof value === "string");
  const lines = (subject ?? "").split("\n");
  const [first = ""] = lines;
  return lines.length > 1 ? `${first} … (${String(lines.length)} lines)` : first;
}
