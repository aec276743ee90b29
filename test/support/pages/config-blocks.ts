import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { configFileSchema } from "../../../src/config/config-file-schema.ts";
import { VALUE_OPTIONS } from "../../../src/config/option-schemas.ts";
import { DEFAULT_OPTIONS, type Options } from "../../../src/config/options.ts";
import { variableOf } from "../../../src/config/read-environment.ts";
import type { ValueOption } from "../../../src/config/value-options.ts";
import { type Block, cell, code, tableOf } from "./block.ts";

const PAGE = "docs/reference/configuration.md";
const CLI = fileURLToPath(new URL("../../../src/cli", import.meta.url));

const MAPS: Readonly<Partial<Record<keyof Options, string>>> = {
  links:
    "an object: name to `{module}`, `{command}` or `{http, secretFile?}`, each with `timeoutMs?` and `options?`",
  shellTools: "an object: tool to `{commandArgument, workdirArgument?}`; or a list of tools",
  toolPaths: "an object: tool, or `server:tool`, to a list of its input fields",
};

/** What the page on configuration shows of the source. */
export function configBlocks(): readonly Block[] {
  const { properties = {} } = z.toJSONSchema(configFileSchema);
  const told = (name: string): string => {
    const property = properties[name];
    return typeof property === "object" ? cell(property.description ?? "") : "";
  };
  const retired = Object.entries(properties)
    .filter(([, property]) => typeof property === "object" && property.deprecated === true)
    .map(([name]) => code(name));
  const names = Object.keys(DEFAULT_OPTIONS) as (keyof Options)[];
  const rows = names.map((name) => [
    code(name),
    told(name).replace(/ Default [^ ]+\.$/, ""),
    expectsOf(name),
    shown(DEFAULT_OPTIONS[name]),
    name in VALUE_OPTIONS ? code(variableOf(name)) : "",
  ]);
  const idle = names.filter((name) => !isRead(name)).map(code);
  return [
    {
      page: PAGE,
      name: "options",
      text: tableOf(["key", "what it does", "takes", "default", "variable"], rows),
    },
    { page: PAGE, name: "idle", text: idle.length === 0 ? "None." : `${idle.join(", ")}.` },
    { page: PAGE, name: "retired", text: `${retired.join(", ")}.` },
  ];
}

function expectsOf(name: keyof Options): string {
  if (Object.hasOwn(VALUE_OPTIONS, name)) return cell(VALUE_OPTIONS[name as ValueOption].expects);
  return MAPS[name] ?? "";
}

function shown(value: Options[keyof Options]): string {
  if (value === null) return "none";
  if (Array.isArray(value) && value.length > 0) return value.map((one) => `\`${one}\``).join(", ");
  if (value instanceof Map || Array.isArray(value)) return "empty";
  return code(typeof value === "string" ? value : JSON.stringify(value));
}

/** The text of every program, in which an option that counts is read by its name. */
const programs = readdirSync(CLI, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(`${CLI}/${name}`, "utf8"))
  .join("\n");

function isRead(name: string): boolean {
  const byDot = new RegExp(`options\\s*\\.\\s*${name}\\b`);
  const taken = new RegExp(`\\{[^{}]*\\b${name}\\b[^{}]*\\}\\s*=\\s*[a-z.]*options\\b`);
  return byDot.test(programs) || taken.test(programs);
}
