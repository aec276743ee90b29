import type { Command } from "commander";
import type { CommandContext } from "./commands-asking.ts";
import { widthOption, withConnection } from "./flags.ts";
import type { ListGrantsFlags, RevokeGrantsFlags } from "./grants.ts";

/** Adds `grants list` and `grants revoke`. */
export function addGrants({ program, io, setCode }: CommandContext): void {
  const grants = program
    .command("grants")
    .description("Shows what approvals for a session left behind, and takes it back.");
  withFolder(grants.command("list"))
    .description("Lists the grants in force in the sessions of this data folder.")
    .addHelpText("after", LIST_HELP)
    .action(async (flags: ListGrantsFlags) => {
      const { runListGrants } = await import("./grants.ts");
      setCode(await runListGrants(flags, io));
    });
  withFolder(grants.command("revoke"))
    .argument("[id...]", "ids of grants, as the list shows them")
    .description("Takes grants back: from then on nothing is allowed by them.")
    .option("--all", "all grants, or all of --session")
    .addHelpText("after", REVOKE_HELP)
    .action(async (ids: readonly string[], flags: RevokeGrantsFlags) => {
      const { runRevokeGrants } = await import("./grants.ts");
      setCode(await runRevokeGrants(ids, flags, io));
    });
}

function withFolder(command: Command): Command {
  return withConnection(command)
    .option("--session <id>", "grants of this session alone")
    .option("--as <name>", "ask the sessions themselves, as this operator [ASKFABRIC_OPERATOR]")
    .option("--json", "print JSON lines")
    .addOption(widthOption());
}

const LIST_HELP = `
A grant counts for the calls of its own session (given by allow_for_session), or for those of every session it
serves (allow_for_serving_session). It turns what rules ask about into an allow and never lifts a deny; it ends
after 8 hours, with its session's life, or when it is revoked. The journals are read beside running programs.
With --as, or where flags name a server or a credential, the sessions that serve are asked instead, from any machine.

Examples:
  askfabric grants list
  askfabric grants list --session lead --json
  askfabric grants list --session lead --as alice --join alice.join.json`;

const REVOKE_HELP = `
Takes effect at once, also on a serve or child that runs: the next ask is judged without it. What was allowed before
stands, and the answer says how often that was. Each revocation is a record in the session's own chain.
Exit code 1 when a grant is not there. With --as the session named by --session does it.

Examples:
  askfabric grants revoke grant-2b1c0d7e-3f6a-4a5e-9a43-3c1f1b7e9d10
  askfabric grants revoke --all --session lead
  askfabric grants revoke --all --session lead --as alice --join alice.join.json`;
