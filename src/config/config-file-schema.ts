import { z } from "zod";
import { LINK_SCHEMAS, shellToolSchema, toolPathsSchema, VALUE_OPTIONS } from "./option-schemas.ts";

const reasonedDeny = z.strictObject({
  action: z.literal("deny"),
  reason: z.string().min(1).max(500).describe("Told to the agent whose call is denied."),
});

const action = z.union([z.enum(["allow", "ask", "deny"]), reasonedDeny]);

const permission = z
  .record(z.string().min(1), z.union([action, z.record(z.string(), action)]))
  .describe("Surface to action, or to patterns with actions; the last pattern that matches wins.");

const value = <K extends keyof typeof VALUE_OPTIONS>(name: K, text: string): z.ZodType =>
  VALUE_OPTIONS[name].schema.exactOptional().describe(text);

const retired = z.unknown().exactOptional().meta({ deprecated: true });

/** The whole configuration file, as editors are told of it. The program reads it key by key, in order. */
export const configFileSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  permission: permission.exactOptional(),
  agents: z
    .record(z.string(), z.strictObject({ permission: permission.exactOptional() }))
    .exactOptional()
    .describe("Rules of single agents, by agent name."),
  authorizerChain: value("authorizerChain", "Links that are asked before a person, in this order."),
  links: z
    .record(z.string().min(1), z.union(Object.values(LINK_SCHEMAS)))
    .exactOptional()
    .describe("Links by name; only those named in authorizerChain are asked."),
  linkTimeoutMs: value("linkTimeoutMs", "Longest time of one link. Default 10000."),
  yoloMode: value("yoloMode", "Turns every ask of the rules into an allow. Default false."),
  forwardingTimeoutMs: value("forwardingTimeoutMs", "Life of an ask. Default 600000."),
  unservedGraceMs: value(
    "unservedGraceMs",
    "How long an unserved parent is borne before the next is tried. Default 2000.",
  ),
  promptMaxRows: value("promptMaxRows", "Rows of a prompt; bounds evidence only. Default 24."),
  promptFieldMaxWidth: value(
    "promptFieldMaxWidth",
    "Length of one field of a prompt. Default 400.",
  ),
  reviewLogFieldMaxWidth: value(
    "reviewLogFieldMaxWidth",
    "Length of one text of a record. Default 1000.",
  ),
  piInfrastructureReadPaths: value(
    "piInfrastructureReadPaths",
    "Folders and patterns outside the working directory that any tool may read.",
  ),
  shellTools: z
    .union([z.record(z.string().min(1), shellToolSchema), z.array(z.string().min(1))])
    .exactOptional()
    .describe("Tools that are the shell besides bash."),
  toolPaths: z
    .record(z.string().min(1), toolPathsSchema)
    .exactOptional()
    .describe("Which input fields of an unknown tool, or of server:tool, are paths."),
  auditMode: value("auditMode", "How strongly a record is bound to its decision. Default spool."),
  auditAck: value("auditAck", "Whose acknowledgement auditMode strict waits for. Default stream."),
  auditKeep: value("auditKeep", "Whose word lets a session drop its copy. Default stream."),
  signDecisions: value("signDecisions", "Whether a parent signs its decisions. Default false."),
  requireSigners: value("requireSigners", "Keys one of which must have signed a decision."),
  operatorOps: value(
    "operatorOps",
    "What operators may do at a serving session; an empty list switches them off. Default all.",
  ),
  parents: value("parents", "Session ids of the parents, tried in this order."),
  fleet: value("fleet", "Name of the fleet. Default default."),
  subjectPrefix: value("subjectPrefix", "Subject prefix in place of af.v1 and the fleet."),
  debugLog: retired,
  permissionReviewLog: retired,
  doublePressToConfirm: retired,
  toolInputPreviewMaxLength: retired,
  toolTextSummaryMaxLength: retired,
});
