import { configPlaces } from "../config/config-places.ts";
import { type ConfigFinding, explainConfig } from "../config/explain-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { trustProject } from "../config/trust.ts";
import { checkLinks } from "./check-links.ts";
import { CommandError, EXIT, sentenceOf } from "./failure.ts";
import { findingLine } from "./finding-line.ts";
import type { CommonFlags } from "./flags.ts";
import { type Io, printLine } from "./io.ts";
import { readLogLevel } from "./log.ts";
import { loadRequest } from "./places.ts";
import { type CheckFlags, isForPerson, showCheck } from "./show-checks.ts";

/** Flags of `config check`. */
export interface ConfigCheckFlags extends CommonFlags, CheckFlags {}

/** Says what configuration is in force and every problem of it, one line each; 1 when a source is rejected. */
export async function runConfigCheck(flags: ConfigCheckFlags, io: Io): Promise<number> {
  const loaded = await loadConfig(loadRequest(flags, io));
  const findings = [
    ...explainConfig(loaded),
    ...checkLinks(loaded, io.home),
    ...checkLogLevel(flags, io),
  ];
  if (isForPerson(flags, io)) tellPerson(findings, flags, io);
  else for (const finding of findings) printLine(io, findingLine(finding));
  return findings.some(({ status }) => status === "fail") ? EXIT.usage : EXIT.ok;
}

function checkLogLevel({ logLevel }: CommonFlags, io: Io): readonly ConfigFinding[] {
  try {
    readLogLevel(logLevel || io.env["ASKFABRIC_LOG_LEVEL"], "info");
    return [];
  } catch (error) {
    const about = logLevel ? "--log-level" : "ASKFABRIC_LOG_LEVEL";
    const todo = "correct it; until then no program starts";
    return [{ about, status: "fail", text: `${about}: ${sentenceOf(error)}`, todo }];
  }
}

/** Files first, then what is wrong, then what was chosen; options that nobody chose share a line. */
function tellPerson(findings: readonly ConfigFinding[], flags: CheckFlags, io: Io): void {
  const isUsual = ({ text }: ConfigFinding): boolean => text.endsWith("(default)");
  const rank = (finding: ConfigFinding): number => {
    if (finding.about.endsWith(" file")) return 0;
    return finding.status === "ok" ? 2 : 1;
  };
  const told = findings.filter((finding) => !isUsual(finding));
  const sorted = told.toSorted((one, other) => rank(one) - rank(other));
  for (const [place, finding] of sorted.entries()) {
    const { todo, ...line } = findingLine(finding);
    // What is to be done about several stands behind the last of them.
    const isLast = todo !== undefined && todo !== sorted[place + 1]?.todo;
    showCheck(isLast ? { ...line, todo } : line, flags, io);
  }
  const usual = findings.filter(isUsual).map(({ about }) => about);
  if (usual.length === 0) return;
  const text = `as by default: ${usual.join(", ")}`;
  showCheck({ check: "defaults", status: "ok", text }, flags, io);
}

/** Trusts the project file of this folder as it is now. */
export async function runConfigTrust(flags: CommonFlags, io: Io): Promise<number> {
  const trusted = await trustProject(configPlaces(io, flags.config));
  if (!trusted.ok) throw new CommandError(trusted.message);
  const { path, digest } = trusted;
  const text = `${path} is trusted with SHA-256 ${digest}`;
  printLine(io, { check: "project file", status: "ok", text });
  return EXIT.ok;
}
