import { configPlaces } from "../config/config-places.ts";
import { explainConfig } from "../config/explain-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { trustProject } from "../config/trust.ts";
import { checkLinks } from "./check-links.ts";
import { CommandError, EXIT } from "./failure.ts";
import { findingLine } from "./finding-line.ts";
import type { CommonFlags } from "./flags.ts";
import { type Io, printLine } from "./io.ts";
import { loadRequest } from "./places.ts";

/** Says what configuration is in force and every problem of it, one line each; 1 when a source is rejected. */
export async function runConfigCheck(flags: CommonFlags, io: Io): Promise<number> {
  const loaded = await loadConfig(loadRequest(flags, io));
  const findings = [...explainConfig(loaded), ...checkLinks(loaded, io.home)];
  for (const finding of findings) printLine(io, findingLine(finding));
  return findings.some(({ status }) => status === "fail") ? EXIT.usage : EXIT.ok;
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
