import type { ForwardedAccessFacts } from "../ask/facts.ts";
import type { DescribedCall } from "./described-call.ts";
import { type Draft, evidence } from "./requests.ts";
import type { ShellCall } from "./shell-call.ts";
import { isFileTool } from "./tool-paths.ts";

/** Asks for the tool itself, or for the skill that a person's input loads. */
export function toolDraft(described: DescribedCall): readonly Draft[] {
  const { call, shell } = described;
  if (shell !== null) return [shellDraft(shell, described)];
  if (call.mcp !== undefined) return [mcpDraft(call.mcp, described)];
  if (call.toolName === null) return [skillDraft(call.skill, described, "skill_input")];
  if (call.toolName === "skill") return [skillDraft(skillNamed(described), described, "tool_call")];
  return namedToolDrafts(call.toolName, described);
}

function shellDraft(shell: ShellCall, { display }: DescribedCall): Draft {
  const { command, units, invokedToolName } = shell;
  const facts: ForwardedAccessFacts = {
    surface: "bash",
    matchValues: command === null ? [] : [command],
    boundaryValue: null,
    units,
  };
  return { kind: "bash", facts, display, value: command ?? "", toolName: "bash", invokedToolName };
}

function mcpDraft(
  { server, tool }: { readonly server: string; readonly tool: string },
  { call, display }: DescribedCall,
): Draft {
  const value = `${server}:${tool}`;
  return {
    kind: "mcp",
    facts: {
      surface: "mcp",
      matchValues: [value, `${server}_${tool}`, server],
      boundaryValue: null,
    },
    display,
    value,
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
  const { input, skill } = call;
  const given = skill ?? (["skill", "name"] as const).map((key) => own(input, key)).find(isText);
  return isText(given) ? given : undefined;
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
    return [
      { ...base, facts: { surface: toolName, matchValues: [toolName], boundaryValue: null } },
    ];
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

function own(input: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(input, key) ? input[key] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
