import type { AnswerLine, PromptLine } from "../src/cli/lines.ts";
import type { Line } from "./program.ts";

/** What the scripted person does about a prompt. */
export type Reaction =
  | Pick<AnswerLine, "answer" | "reason">
  /** Looks the other way. */
  | "nothing"
  /** Is too late: the call is taken back first. */
  | "taken_back";

/** The first entry whose text is in the prompt's value decides; everything else is allowed once. */
const SCRIPT: readonly (readonly [value: RegExp, session: RegExp, reaction: Reaction])[] = [
  [/^npm run dev/, /./, "taken_back"],
  [/^npm publish/, /./, "nothing"],
  [/^git push/, /builder/, { answer: "allow_for_session" }],
  [/^git push/, /reviewer/, { answer: "deny", reason: "a reviewer does not push" }],
  [/^docker compose up/, /./, { answer: "allow_for_serving_session" }],
  [/^ls .*x1b/, /./, { answer: "deny", reason: "that is no listing" }],
  [/u202e/, /./, { answer: "deny", reason: "the name runs backwards" }],
];

/** Reads the prompt of a line; undefined for other lines. */
export function promptOf(line: Line): PromptLine["prompt"] | undefined {
  return (line as Partial<PromptLine>).prompt;
}

/** What the scripted person does about a prompt. */
export function reactTo(prompt: PromptLine["prompt"]): Reaction {
  const session = prompt.requester.sessionId ?? "";
  const entry = SCRIPT.find(([value, whose]) => value.test(prompt.value) && whose.test(session));
  return entry?.[2] ?? { answer: "allow" };
}
