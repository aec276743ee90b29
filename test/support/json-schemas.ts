import { fileURLToPath } from "node:url";
import { z } from "zod";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { configFileSchema } from "../../src/config/config-file-schema.ts";
import { WIRE_SCHEMA_FILES } from "./wire-schemas.ts";

/** The folder of the generated files. */
export const SCHEMA_FOLDER = fileURLToPath(new URL("../../schemas", import.meta.url));

const LINES: Readonly<Record<keyof typeof LINE_SCHEMAS, string>> = {
  call: "A tool call: standard input of `child` (with an id) and of `ask --stdin` (without).",
  cancel: "Takes back an open call: standard input of `child`.",
  outcome: "How a call ended: standard output of `ask` and `child`.",
  error: "A line of input that could not be used: standard output of `child` and `serve`.",
  ready: "The session serves from now on: standard output of `serve`.",
  up: "The server takes connections: standard output of `up`.",
  keeping: "A line of `audit run`: it keeps records from now on.",
  prompt: "An ask put to whoever reads: standard output of `serve --terminal stdin`.",
  withdrawn: "A prompt that is void: standard output of `serve --terminal stdin`.",
  answered: "What an answer did: `serve --terminal stdin` and `pending answer --json`.",
  answer: "An answer to a prompt: standard input of `serve --terminal stdin`.",
  show: "Asks for the complete view of a prompt: standard input of `serve --terminal stdin`.",
  record: "A record: standard output of `audit list --json` and `audit trace --json`.",
  story: "How an ask's story ends: standard output of `audit trace --json`, after its records.",
  stories:
    "How many asks a tool call has: last line of `audit trace --json` that does not tell all.",
  verified: "What was found about one session: standard output of `audit verify --json`.",
  "store-fault": "What belongs to no one session: `audit verify --json` and `audit gaps --json`.",
  gap: "Records that are missing: standard output of `audit gaps --json`.",
  "dead-letter": "A message that was set aside: standard output of `audit dead-letters --json`.",
  explained: "One request of a call explained: standard output of `explain --json`.",
  conclusion: "What the call comes to: standard output of `explain --json`, the last line.",
  grant: "A grant in force: standard output of `grants list --json`.",
  revoked: "A grant that was revoked: standard output of `grants revoke --json`.",
  event: "A live event: standard output of `watch --json`.",
  pending: "An open ask: standard output of `pending list --json` and `pending watch --json`.",
  gone: "An ask that is open no longer: standard output of `pending watch --json`.",
  shown: "An ask as a person is shown it: `pending show --json` and `pending answer --json`.",
  check: "One thing looked at: standard output of `doctor` and `config check`.",
};

const lineFiles = Object.entries(LINE_SCHEMAS).map(([name, schema]): [string, string] => [
  `lines/${name}.schema.json`,
  toFile(schema, {
    title: `askfabric line: ${name}`,
    description: LINES[name as keyof typeof LINES],
  }),
]);

/** Every generated JSON Schema: its path below {@link SCHEMA_FOLDER} and its text. */
export const SCHEMA_FILES: ReadonlyMap<string, string> = new Map([
  ...lineFiles,
  ...WIRE_SCHEMA_FILES,
  [
    "config.schema.json",
    toFile(configFileSchema, {
      title: "askfabric configuration",
      description: "The user's config.json and a project's .askfabric/config.json.",
    }),
  ],
]);

function toFile(schema: z.ZodType, head: { title: string; description: string }): string {
  const generated = z.toJSONSchema(schema, {
    // Immutability is a matter of the program's types, not of who writes the JSON.
    reused: "ref",
    override: ({ jsonSchema }) => delete jsonSchema.readOnly,
  });
  const { $schema, ...rest } = generated;
  return `${JSON.stringify({ $schema, ...head, ...rest }, null, 2)}\n`;
}
