import { z } from "zod";
import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import { CONTROL_OPS } from "../ask/control.ts";
import { isLinkUrl } from "./link-url.ts";
import { AUDIT_KEEPERS, AUDIT_MODES, type Options } from "./options.ts";
import type { ValueOption } from "./value-options.ts";

const LONGEST_LINK_MS = 600_000;
const SUBJECT_PREFIX = /^[A-Za-z0-9_=-]{1,96}(?:\.[A-Za-z0-9_=-]{1,96}){0,3}$/;

/** A schema with the words that say what it takes, which follow "it must be". */
interface Described<T> {
  readonly schema: z.ZodType<T>;
  readonly expects: string;
}

function whole(min: number, max: number, unit: string): Described<number> {
  const range = `${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return { schema: z.int().min(min).max(max), expects: `a whole number of ${unit} from ${range}` };
}

function oneOf<const T extends readonly string[]>(words: T): Described<T[number]> {
  return { schema: z.enum(words), expects: `one of ${words.join(", ")}` };
}

const filled = z.string().min(1);

const yesOrNo: Described<boolean> = { schema: z.boolean(), expects: "true or false" };

const texts: Described<readonly string[]> = {
  schema: z.array(filled).readonly(),
  expects: "a list of texts, none empty",
};

const names: Described<readonly string[]> = {
  schema: z
    .array(filled)
    .readonly()
    .refine((list) => new Set(list).size === list.length),
  expects: "a list of names, none empty and each once",
};

/** Options that are one value, with what each takes; the file, the environment and flags share it. */
export const VALUE_OPTIONS = {
  authorizerChain: names,
  linkTimeoutMs: whole(1, LONGEST_LINK_MS, "milliseconds"),
  yoloMode: yesOrNo,
  forwardingTimeoutMs: whole(1_000, MAX_ASK_LIFE_MS, "milliseconds"),
  unservedGraceMs: whole(0, 600_000, "milliseconds"),
  promptMaxRows: whole(1, 10_000, "rows"),
  promptFieldMaxWidth: whole(1, 1_000_000, "characters"),
  reviewLogFieldMaxWidth: whole(1, 1_000_000, "characters"),
  piInfrastructureReadPaths: texts,
  auditMode: oneOf(AUDIT_MODES),
  auditAck: oneOf(AUDIT_KEEPERS),
  auditKeep: oneOf(AUDIT_KEEPERS),
  signDecisions: yesOrNo,
  requireSigners: names,
  operatorOps: {
    schema: z
      .array(z.enum(CONTROL_OPS))
      .readonly()
      .refine((list) => new Set(list).size === list.length),
    expects: `a list of ${CONTROL_OPS.join(", ")}, each once`,
  },
  parents: names,
  fleet: { schema: filled, expects: "a text that is not empty" },
  subjectPrefix: {
    schema: z.string().regex(SUBJECT_PREFIX),
    expects: "1 to 4 tokens of letters, digits, `_`, `-` and `=`, joined by dots",
  },
} as const satisfies { readonly [K in ValueOption]: Described<NonNullable<Options[K]>> };

const linkRest = {
  timeoutMs: z
    .int()
    .min(1)
    .max(LONGEST_LINK_MS)
    .exactOptional()
    .describe("Longest time of this link in milliseconds; linkTimeoutMs when absent."),
  options: z
    .record(z.string(), z.unknown())
    .readonly()
    .exactOptional()
    .describe("Handed to the link as it stands."),
};

const modulePath = filled.describe(
  "Path of an ES module, from the folder of this file, or askfabric:guard for the one that comes along.",
);

const commandWords = z
  .array(filled)
  .min(1)
  .readonly()
  .describe("Program and arguments, run without a shell in the folder of this file.");

/** The three ways to name a link; a link has exactly one of their first keys. */
export const LINK_SCHEMAS = {
  module: z.strictObject({ module: modulePath, ...linkRest }).readonly(),
  command: z.strictObject({ command: commandWords, ...linkRest }).readonly(),
  http: z
    .strictObject({
      http: z
        .url({ protocol: /^https?$/ })
        .refine(isLinkUrl)
        .describe("https:, or http: to the loopback; no name or password in it."),
      secretFile: filled
        .exactOptional()
        .describe("File, mode 600, whose content is sent as a bearer token."),
      ...linkRest,
    })
    .readonly(),
} as const;

/** A tool that is the shell under another name. */
export const shellToolSchema = z
  .strictObject({ commandArgument: filled, workdirArgument: filled.exactOptional() })
  .readonly();

/** The input fields of one tool that hold paths. */
export const toolPathsSchema = z.array(filled).readonly();
