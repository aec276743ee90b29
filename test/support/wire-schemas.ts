import { z } from "zod";
import { ask, grantSuggestion } from "../../src/wire/ask.ts";
import { CONTROL_ANSWERS, CONTROL_WANTS } from "../../src/wire/control-schemas.ts";
import { decisionSource } from "../../src/wire/decider.ts";
import { decision } from "../../src/wire/decision.ts";
import { accessIntent, askOrigin } from "../../src/wire/facts.ts";
import {
  accepted,
  cancel,
  presence,
  progress,
  receipt,
  refused,
  withdrawn,
} from "../../src/wire/messages.ts";
import { promptPayload } from "../../src/wire/payload.ts";

interface WireMessage {
  readonly schema: z.ZodObject;
  readonly description: string;
}

const WANTED = "Operator to session on <p>.ctl.<session>.<operator>.";
const GIVEN = "Session to operator on <p>.inbox.<operator>.ctl.<session>.<id>";
const { list, show, answer, grants, revoke } = CONTROL_WANTS;

/** An answer carries the id of what was wanted, besides what its op says. */
const given = (op: keyof typeof CONTROL_ANSWERS, description: string): WireMessage => ({
  schema: z.object({ id: list.shape.id, ...CONTROL_ANSWERS[op].shape }),
  description: `${GIVEN}: ${description}`,
});

const MESSAGES: Readonly<Record<string, WireMessage>> = {
  ask: {
    schema: ask.extend({ source: ask.shape.source.exactOptional() }),
    description:
      "Child to parent on <p>.ask.<parent>.<child>. expiresAt is later than createdAt by at most 24 h. The session ids are those of the subject. The principal of accessIntent is the requester, of a relayed ask the origin.",
  },
  accepted: {
    schema: accepted,
    description: "Parent to child on <p>.dec.<parent>.<child>.<rid>: the ask is taken.",
  },
  progress: {
    schema: progress,
    description: "Parent to child on <p>.dec.<parent>.<child>.<rid>: the ask moved.",
  },
  decision: {
    schema: decision,
    description:
      "Parent to child on <p>.dec.<parent>.<child>.<rid>. approved agrees with state and with the effective decider, or the decision is none. At most 8 frames of kind forwarded.",
  },
  refused: {
    schema: refused,
    description: "Parent to child on <p>.dec.<parent>.<child>.<rid>: nobody rules. Never allows.",
  },
  withdrawn: {
    schema: withdrawn,
    description: "Parent to child on <p>.dec.<parent>.<child>.<rid>: the answer to a cancel.",
  },
  receipt: {
    schema: receipt,
    description: "Child to parent on <p>.ack.<parent>.<child>: what a decision did.",
  },
  cancel: {
    schema: cancel,
    description: "Child to parent on <p>.cancel.<parent>.<child>.<rid>: the ask is taken back.",
  },
  presence: {
    schema: presence,
    description: "A session on <p>.hb.<session>, a child also on <p>.up.<parent>.<child>.",
  },
  "ctl-list": { schema: list, description: `${WANTED}list: the open asks, from a place on.` },
  "ctl-list-answer": given("list", "open asks in short; with next, more follow behind it."),
  "ctl-show": { schema: show, description: `${WANTED}show: one ask as a person is shown it.` },
  "ctl-show-answer": given(
    "show",
    "a part of the JSON text of the ask (lines/shown, ask). The digest is base64url SHA-256 of the whole text.",
  ),
  "ctl-answer": {
    schema: answer,
    description: `${WANTED}answer: a person's answer to what the digest names. Its author is the operator of the subject.`,
  },
  "ctl-answer-answer": given("answer", "the answer counts and is on the session's disk."),
  "ctl-grants": { schema: grants, description: `${WANTED}grants: the grants in force.` },
  "ctl-grants-answer": given("grants", "grants; with next, more follow behind it."),
  "ctl-revoke": { schema: revoke, description: `${WANTED}revoke: takes a grant back.` },
  "ctl-revoke-answer": given("revoke", "the grant as it was; nothing is allowed by it any more."),
  "ctl-refused": given("refused", "nothing was changed, and why."),
};

const parts = z.registry<{ id: string }>();
parts.add(promptPayload, { id: "PromptPayload" });
parts.add(grantSuggestion, { id: "GrantSuggestion" });
parts.add(accessIntent, { id: "ForwardedAccessIntent" });
parts.add(askOrigin, { id: "SessionAndAgent" });
parts.add(decisionSource, { id: "DecisionSource" });

/** The JSON Schemas of the wire's messages: path below the folder of schemas, and text. */
export const WIRE_SCHEMA_FILES: readonly (readonly [string, string])[] = Object.entries(
  MESSAGES,
).map(([name, message]) => [
  `wire/${name}.schema.json`,
  `${JSON.stringify(jsonSchemaOf(name, message), null, 2)}\n`,
]);

function jsonSchemaOf(name: string, { schema, description }: WireMessage): object {
  const { $schema, ...rest } = z.toJSONSchema(
    z.object({ v: z.literal(1).exactOptional(), ...schema.shape }),
    {
      metadata: parts,
      // What is written now; a reader ignores fields it does not know.
      io: "input",
      // "readOnly" tells readers of JSON Schema of who may write a field, not of frozen data.
      override: ({ jsonSchema }) => {
        delete jsonSchema.readOnly;
      },
    },
  );
  return { $schema, title: `askfabric wire v1: ${name}`, description, ...rest };
}
