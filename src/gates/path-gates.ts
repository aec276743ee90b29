import type { PromptEvidence } from "../ask/payload.ts";
import type { ActiveSkill, GateContext } from "./context.ts";
import type { DescribedCall } from "./described-call.ts";
import { isInside, type PathFacts, type PathFamily, pathSurface } from "./path-facts.ts";
import { type Draft, evidence } from "./requests.ts";

/** Asks whether a path may be read or written; raised only by a rule of its own. */
export function pathDraft(path: PathFacts, described: DescribedCall): Draft {
  return {
    ...pathBase(path, "path", described),
    kind: "path",
    value: path.typed,
    raisedByDefault: false,
  };
}

/** Asks whether a file tool may leave the working directory, for each path outside. */
export function externalDrafts(described: DescribedCall, context: GateContext): readonly Draft[] {
  return described.paths
    .filter((path) => path.outside)
    .map((path) => {
      const { canonical, typed } = path;
      const target = canonical === typed ? [] : [evidence("resolves to", canonical)];
      return {
        ...pathBase(path, "external_directory", described),
        kind: "external_directory",
        value: typed,
        evidence: [...target, evidence("working directory", described.call.cwd)],
        infrastructureRead: isInfrastructureRead(path, context),
      };
    });
}

/** Asks whether a command may leave the working directory, once for all outside paths it names. */
export function shellExternalDrafts(described: DescribedCall): readonly Draft[] {
  if (described.shell === null) return [];
  const { command } = described.shell;
  const outside = described.paths.filter((path) => path.outside);
  const named: PromptEvidence[] = outside.map(({ typed, canonical }) =>
    evidence("external path", typed, canonical === typed ? null : canonical),
  );
  const shown = [evidence("working directory", described.call.cwd), ...named];
  return outside.map((path) => ({
    ...pathBase(path, "external_directory", described),
    kind: "bash_external_directory",
    value: command ?? described.call.toolName ?? "bash",
    evidence: shown,
  }));
}

/** Asks whether files of a skill may be read, for each path in a skill's folder. */
export function skillReadDrafts(described: DescribedCall, context: GateContext): readonly Draft[] {
  if (described.shell !== null) return [];
  return described.paths.flatMap((path): Draft[] => {
    const skill = path.direction === "read" ? skillOf(path, context) : null;
    if (skill === null) return [];
    return [
      {
        kind: "skill_read",
        source: "skill_read",
        facts: { surface: "skill", matchValues: [skill.name], boundaryValue: null },
        display: described.display,
        value: skill.name,
        toolName: null,
        evidence: [evidence("read path", path.typed)],
      },
    ];
  });
}

function pathBase(
  path: PathFacts,
  family: PathFamily,
  described: DescribedCall,
): Pick<Draft, "facts" | "display" | "toolName" | "invokedToolName" | "grantOn"> {
  return {
    facts: {
      surface: pathSurface(family, path.direction),
      matchValues: path.aliases,
      boundaryValue: path.canonical,
    },
    display: described.display,
    toolName: described.shell === null ? described.call.toolName : "bash",
    invokedToolName: described.shell?.invokedToolName ?? null,
    grantOn: path.canonical,
  };
}

/** The innermost skill folder that holds the path, by its own name or by what it resolves to. */
function skillOf(path: PathFacts, context: GateContext): ActiveSkill | null {
  const holding = (context.skills ?? []).filter(({ root }) =>
    [root, context.realpath(root)].some(
      (folder) =>
        isInside(path.absolute, folder, context) || isInside(path.canonical, folder, context),
    ),
  );
  return holding.toSorted((a, b) => b.root.length - a.root.length)[0] ?? null;
}

function isInfrastructureRead(path: PathFacts, context: GateContext): boolean {
  if (path.direction !== "read") return false;
  if (context.isInfrastructure?.(path.canonical) === true) return true;
  return (context.infrastructureReadPaths ?? []).some((folder) =>
    isInside(path.canonical, context.realpath(folder), context),
  );
}
