import type { ForwardedAccessFacts } from "../ask/facts.ts";
import type { DescribedCall } from "./described-call.ts";
import { textIn } from "./input-text.ts";
import { type McpCall, mcpOf } from "./mcp-call.ts";
import { type Draft, evidence } from "./requests.ts";
import type { ShellCall } from "./shell-call.ts";
import { namesOf } from "./tool-names.ts";
import { isFileTool } from "./tool-paths.ts";

/** Asks for the tool itself, or for the skill that a person's input loads. */
export function toolDraft(described: DescribedCall): readonly Draft[] {
  const { call, shell } = described;
  if (shell !== null) return [shellDraft(shell, described)];
  const mcp = mcpOf(call);
  if (mcp !== null) return [mcpDraft(mcp, described)];
  if (call.toolName === null) return [skillDraft(call.skill, described, "skill_input")];
  if (call.toolName === "skill") return [skillDraft(skillNamed(described), described, "tool_call")];
  return namedToolDrafts(call.toolName, described);
}

function shellDraft(shell: ShellCall, { call, display }: DescribedCall): Draft {
  const { command, units, invokedToolName } = shell;
  const facts: ForwardedAccessFacts = {
    surface: "bash",
    matchValues: command === null ? [] : [command],
    boundaryValue: null,
    units,
  };
  const base = { kind: "bash" as const, facts, display, toolName: "bash", invokedToolName };
  if (command !== null) return { ...base, value: command };
  // A call of a shell that names no command: its input is all there is to see.
  return { ...base, value: invokedToolName ?? "bash", evidence: [inputOf(call.input)] };
}

function mcpDraft({ value, names, grantOn }: McpCall, { call, display }: DescribedCall): Draft {
  return {
    kind: "mcp",
    facts: { surface: "mcp", matchValues: names, boundaryValue: null },
    display,
    value,
    ...(grantOn === null ? {} : { grantOn }),
    toolName: call.toolName ?? "mcp",
    evidence: [inputOf(call.input)],
  };
}

function skillDraft(
  name: string | undefined,
  { display }: DescribedCall,
  source: "skill_input" | "tool_call",
): Draft {
  return {
    kind: "skill",
    source,
    facts: {
      surface: "skill",
      matchValues: name === undefined ? [] : [name],
      boundaryValue: null,
    },
    display,
    value: name ?? "",
    toolName: null,
    grantable: source === "tool_call",
  };
}

function skillNamed({ call }: DescribedCall): string | undefined {
  return call.skill ?? textIn(call.input, "skill") ?? textIn(call.input, "name") ?? undefined;
}

function namedToolDrafts(toolName: string, described: DescribedCall): readonly Draft[] {
  const { call, display, paths } = described;
  const base = {
    kind: "tool" as const,
    display,
    value: toolName,
    toolName,
    evidence: [inputOf(call.input)],
  };
  if (!isFileTool(toolName)) {
    const matchValues = namesOf(toolName, call.input);
    return [{ ...base, facts: { surface: toolName, matchValues, boundaryValue: null } }];
  }
  // Without a path that is known here no rule about paths could see the call: nothing may allow it.
  if (paths.length === 0) {
    return [{ ...base, facts: { surface: toolName, matchValues: [], boundaryValue: null } }];
  }
  return paths.map(({ aliases, canonical }) => ({
    ...base,
    facts: { surface: toolName, matchValues: aliases, boundaryValue: canonical },
  }));
}

function inputOf(input: Readonly<Record<string, unknown>>): ReturnType<typeof evidence> {
  return evidence("input", JSON.stringify(input, null, 2));
}
