import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import { configFileSchema } from "../../src/config/config-file-schema.ts";
import type {
  LINK_SCHEMAS,
  shellToolSchema,
  VALUE_OPTIONS,
} from "../../src/config/option-schemas.ts";
import {
  DEFAULT_OPTIONS,
  type LinkOptions,
  type Options,
  type ShellTool,
} from "../../src/config/options.ts";
import { FILE_KEYS } from "../../src/config/read-config-file.ts";

type ValueTypes = {
  [K in keyof typeof VALUE_OPTIONS]: z.output<(typeof VALUE_OPTIONS)[K]["schema"]>;
};

test("the schema of every option takes exactly what its interface says", () => {
  type Plain = Omit<Options, "links" | "shellTools" | "toolPaths" | "subjectPrefix">;
  expectTypeOf<Omit<ValueTypes, "subjectPrefix">>().toEqualTypeOf<Plain>();
  expectTypeOf<ValueTypes["subjectPrefix"]>().toEqualTypeOf<
    NonNullable<Options["subjectPrefix"]>
  >();
  expectTypeOf<z.output<typeof shellToolSchema>>().toEqualTypeOf<ShellTool>();
  expectTypeOf<
    z.output<(typeof LINK_SCHEMAS)[keyof typeof LINK_SCHEMAS]>
  >().toExtend<LinkOptions>();
  expectTypeOf<LinkOptions>().toExtend<
    z.output<(typeof LINK_SCHEMAS)[keyof typeof LINK_SCHEMAS]>
  >();
});

test("editors are told of every key of a file, the retired ones as deprecated", () => {
  const { shape } = configFileSchema;
  const deprecated = Object.entries(shape)
    .filter(([, schema]) => schema.meta()?.["deprecated"] === true)
    .map(([key]) => key);
  expect(deprecated).toEqual([
    "debugLog",
    "permissionReviewLog",
    "doublePressToConfirm",
    "toolInputPreviewMaxLength",
    "toolTextSummaryMaxLength",
  ]);
  const live = Object.keys(shape).filter((key) => !deprecated.includes(key));
  expect(live.sort()).toEqual([...FILE_KEYS].sort());
});

test("a peer of the options sees exactly these names", () => {
  expect(Object.keys(DEFAULT_OPTIONS)).toEqual([
    "authorizerChain",
    "links",
    "linkTimeoutMs",
    "yoloMode",
    "forwardingTimeoutMs",
    "unservedGraceMs",
    "promptMaxRows",
    "promptFieldMaxWidth",
    "reviewLogFieldMaxWidth",
    "piInfrastructureReadPaths",
    "shellTools",
    "toolPaths",
    "auditMode",
    "auditAck",
    "auditKeep",
    "signDecisions",
    "requireSigners",
    "operatorOps",
    "parents",
    "fleet",
    "subjectPrefix",
  ]);
});
