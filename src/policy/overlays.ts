import type { Finding } from "./finding.ts";
import type { PolicySources } from "./sources.ts";

/** What is laid over every finding of a policy. */
export interface Overlays {
  /** A scope above the global one is there but unreadable: what it would deny is unknown. */
  readonly failClosed: boolean;
  readonly yolo: boolean;
}

/** Reads the overlays of a configuration. */
export function overlaysOf(sources: PolicySources): Overlays {
  return {
    failClosed: sources.invalid?.some((scope) => scope !== "global") ?? false,
    yolo: sources.yolo === true,
  };
}

/**
 * Lays fail-closed over a finding, then yolo. Neither touches a deny. `yoloCovers` is false where the facts
 * are incomplete.
 */
export function overlay(finding: Finding, overlays: Overlays, yoloCovers: boolean): Finding {
  const closed = overlays.failClosed ? closeDown(finding) : finding;
  if (!overlays.yolo || !yoloCovers || closed.state !== "ask") return closed;
  const verdict = { ...closed.verdict, state: "allow" as const, origin: "yolo" as const };
  return { state: "allow", verdict, floor: null };
}

function closeDown(finding: Finding): Finding {
  if (finding.state !== "allow") return finding;
  const { grantId: _, ...verdict } = finding.verdict;
  return {
    state: "ask",
    verdict: { ...verdict, state: "ask", origin: "fail-closed" },
    floor: null,
  };
}
