import { relative } from "node:path";
import type { Grant, StandingScope } from "../ask/grant.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import { gateContextOf } from "../child/gate-context.ts";
import { toPolicySources } from "../config/compile-config.ts";
import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { loadRulePlaces } from "../config/rule-places.ts";
import { realPath } from "../gates/real-path.ts";
import { readGrants } from "../journal/read-grants.ts";
import { loadShell } from "../shell/load-shell.ts";
import { gateOptions } from "./child.ts";
import { type ExplainedCall, explainCall } from "./explain-call.ts";
import { explainedLine, type PlaceOf } from "./explain-lines.ts";
import { explainText } from "./explain-text.ts";
import { EXIT } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import { type CallFlags, type GivenCall, readGiven } from "./given-call.ts";
import { type Io, printLine } from "./io.ts";
import type { ConclusionLine } from "./lines.ts";
import { loadRequest } from "./places.ts";
import { prepare } from "./prepare.ts";

/** Flags of `explain`. */
export interface ExplainFlags extends CommonFlags, CallFlags {
  readonly session?: string;
  readonly agent?: string;
  readonly parent?: string;
  readonly parentConfig?: string;
  readonly json?: boolean;
  /** Columns of a line for a person. */
  readonly width: number;
}

/** Says which rules have a say on a call and what it comes to. Nothing is asked, recorded or changed. */
export async function runExplain(flags: ExplainFlags, io: Io): Promise<number> {
  const given = await readGiven(flags, io);
  const { data, config } = await prepare(flags, io, "warn");
  const who = whoAsks(flags, given, io);
  const { parentConfig } = flags;
  const parents = parentConfig
    ? await loadConfig(loadRequest({ config: parentConfig }, io))
    : config;
  const grantsOf = (name: string | undefined, scope: StandingScope): readonly Grant[] =>
    name ? readGrants(data, name, { now: io.clock.now(), scope }) : [];
  await loadShell();
  const explained = explainCall(given.call, {
    rules: toPolicySources(config),
    gates: gateContextOf(gateOptions(config.options, io), realPath),
    ...who,
    grants: grantsOf(who.session, "child_session"),
    parent: { rules: toPolicySources(parents), grants: grantsOf(flags.parent, "serving_session") },
  });
  const places = { own: await placesIn(config, io), parents: await placesIn(parents, io) };
  const requests = explained.requests.map((request) => explainedLine(request, places));
  const conclusion = concluded(given.call, explained, who);
  if (flags.json === true) {
    for (const line of [...requests, conclusion]) printLine(io, line);
  } else {
    io.write(
      explainText(
        requests.map((line) => line.explained),
        conclusion,
        flags.width,
      ),
    );
  }
  return EXIT.ok;
}

interface Asker {
  readonly session: string;
  readonly agent: string | null;
}

/** Who makes the call: by flag, by what standard input says, by the environment. */
function whoAsks(flags: ExplainFlags, given: GivenCall, { env }: Io): Asker {
  const agent = flags.agent || given.agent || env["ASKFABRIC_AGENT"];
  return {
    session: flags.session || given.session || env["ASKFABRIC_SESSION"] || "child",
    agent: agent || null,
  };
}

/** A file of the folder this program runs in is named from there. */
async function placesIn(config: LoadedConfig, { cwd }: Io): Promise<PlaceOf> {
  const find = await loadRulePlaces(config);
  return (rule) => {
    const place = find(rule);
    if (place === null) return null;
    const near = relative(cwd, place.file);
    const file = near.startsWith("..") ? place.file : near;
    return place.line === undefined ? file : `${file}:${place.line}:${place.column ?? 1}`;
  };
}

function concluded(
  { toolName, cwd }: ToolCall,
  { child, parent }: ExplainedCall,
  who: Asker,
): ConclusionLine {
  return {
    conclusion: {
      tool: toolName,
      cwd,
      session: who.session,
      agent: who.agent,
      child,
      parent,
      text: sentenceOf(child, parent),
    },
  };
}

function sentenceOf(child: ExplainedCall["child"], parent: ExplainedCall["parent"]): string {
  if (child === "allow") return "The call runs; nobody is asked.";
  if (child === "deny") return "The call is denied here; nobody is asked.";
  const ends = { allow: "allows it", deny: "denies it", ask: "asks its links, then a person" };
  return `The call is asked, and a parent with these rules ${ends[parent ?? "ask"]}.`;
}
