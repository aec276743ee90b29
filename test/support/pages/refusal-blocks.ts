import type { DecisionSource } from "../../../src/ask/decision.ts";
import { LOST_REASONS } from "../../../src/ask/lost.ts";
import { LOST_SENTENCES } from "../../../src/render/lost-sentences.ts";
import { allowedText, refusalText } from "../../../src/render/refusal.ts";
import { aPayload } from "../payloads.ts";
import { type Block, cell, code, tableOf } from "./block.ts";

const PAGE = "docs/how-to/read-a-refused-ask.md";

/** What the page on refusals shows of the texts that agents read. */
export function refusalBlocks(): readonly Block[] {
  return [
    { page: PAGE, name: "lost", text: lostTable() },
    { page: PAGE, name: "denied", text: deniedTable() },
    { page: PAGE, name: "example", text: `\`\`\`text\n${anExample()}\n\`\`\`` },
  ];
}

function lostTable(): string {
  return tableOf(
    ["reason", "what happened", "what the text tells to do"],
    LOST_REASONS.map((reason) => [
      `[\`${reason}\`](#${reason})`,
      cell(LOST_SENTENCES[reason].what),
      cell(LOST_SENTENCES[reason].todo),
    ]),
  );
}

const BY: readonly (readonly [string, DecisionSource, string?])[] = [
  [
    "a rule",
    { kind: "rule", surface: "bash", pattern: "rm -rf *", origin: "global" },
    "name the files one by one",
  ],
  [
    "no rule matched, and the default denies",
    { kind: "rule", surface: "bash", pattern: null, origin: "builtin" },
  ],
  ["a link", { kind: "authorizer", name: "secrets", verdict: "deny", reason: "a key is read" }],
  ["a person", { kind: "user", via: "terminal" }],
  ["a person, with a reason", { kind: "user", via: "terminal" }, "use the staging branch"],
];

function deniedTable(): string {
  return tableOf(
    ["who denied", "text when it was this session", "text when it was another session"],
    BY.map(([who, decidedBy, denialReason]) => [
      who,
      code(denialOf(decidedBy, denialReason)),
      code(
        denialOf(
          { kind: "forwarded", responderSessionId: "lead", decision: decidedBy },
          denialReason,
        ),
      ),
    ]),
  );
}

function denialOf(decidedBy: DecisionSource, denialReason?: string): string {
  const refusal = denialReason === undefined ? { decidedBy } : { decidedBy, denialReason };
  return refusalText(aPayload(), refusal);
}

function anExample(): string {
  return [
    allowedText(aPayload(), {
      kind: "forwarded",
      responderSessionId: "lead",
      decision: { kind: "rule", surface: "bash", pattern: "git status *", origin: "global" },
    }),
    denialOf({ kind: "rule", surface: "bash", pattern: "rm -rf *", origin: "global" }),
    refusalText(aPayload(), { lost: "not_serving" }),
  ].join("\n");
}
