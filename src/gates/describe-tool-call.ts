import type { AccessPath, ForwardedAccessFacts } from "../ask/facts.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import { UNPARSED_SUBTREE } from "../shell/floors.ts";
import type { GateContext } from "./context.ts";
import type { DescribedCall } from "./described-call.ts";
import type { GateRequest } from "./gate-request.ts";
import { mcpOf } from "./mcp-call.ts";
import { accessPaths, type PathFacts, pathFacts, type TypedPath } from "./path-facts.ts";
import { externalDrafts, pathDraft, shellExternalDrafts, skillReadDrafts } from "./path-gates.ts";
import { type Draft, requestOf } from "./requests.ts";
import { type ShellCall, shellOf } from "./shell-call.ts";
import { foundByPatterns } from "./shell-globs.ts";
import { toolDraft } from "./tool-gate.ts";
import { namesOf } from "./tool-names.ts";
import { pathsOfTool } from "./tool-paths.ts";

/**
 * Describes the permission requests of a tool call, in the order of the gates: skill read, path, external
 * directory, shell path, the tool itself, skill input. Each path is a request of its own, so that nothing is
 * approved that its decider was not asked about; only a shell's outside paths share one, which shows them all.
 * Pure given the context's look-ups; each request has a fresh id. Nobody has judged them yet.
 */
export function describeToolCall(call: ToolCall, given: GateContext): readonly GateRequest[] {
  const context = { ...given, realpath: remembering(given.realpath) };
  const described = describe(call, context);
  const pathDrafts = described.paths.map((path) => pathDraft(path, described));
  const byPath = described.shell === null ? pathDrafts : [];
  const byToken = described.shell === null ? [] : pathDrafts;
  const outside = described.shell === null ? externalDrafts(described, context) : [];
  const requests: readonly (readonly Draft[])[] = [
    ...each(skillReadDrafts(described, context)),
    ...each(byPath),
    ...each(outside),
    shellExternalDrafts(described),
    ...each(byToken),
    ...each(toolDraft(described)),
  ];
  return requests
    .map((drafts) => requestOf(drafts.map((draft) => withPaths(draft, described.access))))
    .filter((request) => request !== null);
}

function each(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  return drafts.map((draft) => [draft]);
}

function describe(call: ToolCall, context: GateContext): DescribedCall {
  const command = shellOf(call, context);
  const found = command === null ? null : foundByPatterns(command, call.cwd, context);
  const shell = command === null || found !== null ? command : unclear(command);
  const typed = command === null ? pathsOfTool(call, context) : pathsOfShell(command);
  const facts = (path: TypedPath): PathFacts => pathFacts(path, call.cwd, context);
  const named = distinct((typed ?? []).map(facts));
  const paths = distinct([...named, ...(found ?? []).map(facts)]);
  return {
    call,
    shell,
    paths,
    access: typed === null ? null : told(paths, named.length),
    display: displayOf(call, shell?.command ?? null, paths[0]?.absolute ?? null),
  };
}

/** The folder a command runs in is a path of it too: whoever may not leave the working directory may not run there. */
function pathsOfShell({ paths, workdir }: ShellCall): readonly TypedPath[] {
  const named = paths.filter(({ text }) => text !== "");
  if (workdir === null) return named.map(({ text, direction }) => ({ typed: text, direction }));
  const typed = named.map(({ text, direction }) => ({ typed: text, direction, from: workdir }));
  return [{ typed: workdir, direction: null }, ...typed];
}

/** Most paths that patterns found which are told to other nodes. */
const MAX_TOLD = 128;

/** What other nodes are told of the paths; one without a name says that there are more. */
function told(paths: readonly PathFacts[], named: number): readonly AccessPath[] {
  const most = named + MAX_TOLD;
  const access = accessPaths(paths.slice(0, most));
  const more = { surface: "path", matchValues: [], boundaryValue: null };
  return paths.length > most ? [...access, more] : access;
}

/** A command whose files are not known: no rule may allow any of it. */
function unclear(shell: ShellCall): ShellCall {
  const units = shell.units.map((unit) => ({ ...unit, floor: unit.floor ?? UNPARSED_SUBTREE }));
  return { ...shell, units };
}

/** Spellings of one path that the call treats alike are one path, under the first spelling. */
function distinct(paths: readonly PathFacts[]): readonly PathFacts[] {
  const known = new Map<string, PathFacts>();
  for (const path of paths) {
    const key = JSON.stringify([path.direction, path.absolute, path.canonical]);
    if (!known.has(key)) known.set(key, path);
  }
  return [...known.values()];
}

function remembering(realpath: GateContext["realpath"]): GateContext["realpath"] {
  const known = new Map<string, string>();
  return (absolute) => {
    const canonical = known.get(absolute) ?? realpath(absolute);
    known.set(absolute, canonical);
    return canonical;
  };
}

function withPaths(draft: Draft, access: readonly AccessPath[] | null): Draft {
  if (access === null) return draft;
  const facts: ForwardedAccessFacts = { ...draft.facts, paths: access };
  return { ...draft, facts };
}

function displayOf(
  call: ToolCall,
  command: string | null,
  path: string | null,
): DescribedCall["display"] {
  if (command !== null) return { surface: "bash", value: command };
  const mcp = mcpOf(call);
  if (mcp !== null) return { surface: "mcp", value: mcp.value };
  const tool = call.toolName ?? "skill";
  return { surface: tool, value: path ?? call.skill ?? namesOf(tool, call.input)[0] ?? tool };
}
