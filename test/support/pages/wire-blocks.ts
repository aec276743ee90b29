import {
  PROOF_HEADER,
  REMAINING_HEADER,
  SIGNATURE_HEADER,
  TRACE_HEADER,
} from "../../../src/wire/headers.ts";
import { MESSAGE_ID_HEADER, RECORD_HEADER, SALT_HEADER } from "../../../src/wire/record.ts";
import {
  createSubjects,
  type SubjectKind,
  type SubjectTokens,
} from "../../../src/wire/subjects.ts";
import { WIRE_SCHEMA_FILES } from "../wire-schemas.ts";
import { type Block, cell, code, tableOf } from "./block.ts";

const PAGE = "docs/reference/wire-v1.md";

interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schemas = WIRE_SCHEMA_FILES.map(([path, text]) => ({
  name: /\/(.*)\.schema/.exec(path)?.[1] ?? path,
  schema: JSON.parse(text) as Schema,
}));

/** What the page on the wire shows of subjects, headers and schemas. */
export function wireBlocks(): readonly Block[] {
  return [
    { page: PAGE, name: "subjects", text: subjectTable() },
    { page: PAGE, name: "headers", text: headerTable() },
    { page: PAGE, name: "messages", text: schemas.map(messageOf).join("\n\n") },
    { page: PAGE, name: "parts", text: partsOf() },
  ];
}

type Tokens = { readonly [K in SubjectKind]: SubjectTokens<K> };

const NAMES: Tokens = {
  ask: { parent: "parent", child: "child" },
  dec: { parent: "parent", child: "child", rid: "rid" },
  ack: { parent: "parent", child: "child" },
  cancel: { parent: "parent", child: "child", rid: "rid" },
  up: { parent: "parent", child: "child" },
  hb: { session: "session" },
  ctl: { session: "session", operator: "operator", op: "op" },
  frz: { keeper: "keeper" },
  evt: { session: "session", event: "event" },
  audit: { session: "session", record: "record" },
};

const ABOUT: Readonly<Record<SubjectKind, readonly [what: string, by: string, to: string]>> = {
  ask: ["an ask and its repeats", "the child", "its parent"],
  dec: ["accepted, progress, decision, refused, withdrawn", "the parent", "its child"],
  ack: ["what a decision did", "the child", "its parent"],
  cancel: ["an ask is taken back", "the child", "its parent"],
  up: ["a child's presence", "the child", "its parent"],
  hb: ["a session's presence", "the session", "its children, and itself"],
  ctl: [
    "what an operator wants: `list`, `show`, `answer`, `grants`, `revoke`",
    "the operator",
    "that session",
  ],
  frz: ["reserved for a freeze of the fleet", "its keeper", "every session"],
  evt: ["live events: `ui_prompt`, `decision`, `ready`", "the session", "whoever watches"],
  audit: ["records: `review`, `ui_prompt`, `decision`", "the session", "the audit stream alone"],
};

function subjectTable(): string {
  const subjects = createSubjects("P");
  const kinds = Object.keys(NAMES) as SubjectKind[];
  const spelled = <K extends SubjectKind>(kind: K): string =>
    subjects
      .of(kind, NAMES[kind])
      .split(".")
      .map((token, i) => (i === 0 ? "<prefix>" : i === 1 ? token : `<${token}>`))
      .join(".");
  return tableOf(
    ["subject", "what", "published by", "heard by"],
    [
      ...kinds.map((kind) => [code(spelled(kind)), ...ABOUT[kind].map(cell)]),
      [
        code("<prefix>.inbox.<session>.>"),
        "acknowledgements of records",
        "the server",
        "that session",
      ],
      [
        code("<prefix>.inbox.<operator>.ctl.<session>.<id>"),
        "answers to what an operator wants",
        "the session",
        "that operator",
      ],
    ],
  );
}

function headerTable(): string {
  return tableOf(
    ["header", "on", "what it holds"],
    [
      [
        PROOF_HEADER,
        "`dec`",
        "proof that the sender saw this very ask; [to the byte](wire-proof.md)",
      ],
      [SIGNATURE_HEADER, "`dec`", "Ed25519 signature over the same bytes; not written yet"],
      [REMAINING_HEADER, "`ask`", "milliseconds the child still waits, by its own clock"],
      [TRACE_HEADER, "any", "W3C trace context, carried on untouched"],
      [RECORD_HEADER, "`audit`", "the record's header bytes, base64url"],
      [SALT_HEADER, "`audit`", "salt of the body's digest, base64url"],
      [
        MESSAGE_ID_HEADER,
        "`audit`",
        "the event id, by which a stream keeps each record once; `.1`, `.2` … follow it where a stream remembers an id that it refused",
      ],
    ].map(([name = "", ...rest]) => [code(name), ...rest]),
  );
}

function messageOf({ name, schema }: (typeof schemas)[number]): string {
  return [`### ${name}`, escaped(schema.description ?? ""), fieldTable(schema)].join("\n\n");
}

function partsOf(): string {
  const parts = new Map(schemas.flatMap(({ schema }) => Object.entries(schema.$defs ?? {})));
  return [...parts]
    .map(
      ([name, schema]) =>
        `### ${name}\n\n${schema.oneOf ? variantTable(schema.oneOf) : fieldTable(schema)}`,
    )
    .join("\n\n");
}

function variantTable(variants: readonly Schema[]): string {
  return tableOf(
    ["kind", "further fields"],
    variants.map(({ properties = {}, required = [] }) => {
      const { kind, ...rest } = properties;
      const fields = Object.entries(rest).map(
        ([name, schema]) => `\`${name}\`${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
      );
      return [code(String(kind?.const)), fields.join("; ") || "none"];
    }),
  );
}

function fieldTable(schema: Schema): string {
  return tableOf(["field", "type", "required"], fieldRows(schema, ""));
}

function fieldRows({ properties = {}, required = [] }: Schema, above: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = above + name;
    const row = [code(path), typeOf(schema), required.includes(name) ? "yes" : "no"];
    if (schema.properties) return [row, ...fieldRows(schema, `${path}.`)];
    if (schema.items?.properties) return [row, ...fieldRows(schema.items, `${path}[].`)];
    return [row];
  });
}

function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((one) => code(String(one))).join(", ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeOf).join(", or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" or ") ?? "any");
}

function escaped(text: string): string {
  return text.replaceAll(/<[^>]*>/g, (token) => `\`${token}\``).replaceAll("`.`", ".");
}
