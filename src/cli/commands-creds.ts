import { type Command, InvalidArgumentError, Option } from "commander";
import { MODES, ROLES } from "../access/roles.ts";
import type { CommandContext } from "./commands-asking.ts";
import type { AddFlags, InitFlags, RevokeFlags, RotateFlags } from "./creds/creds.ts";
import type { IssuerFlags } from "./creds/issuer-flags.ts";
import type { ServeAuthFlags } from "./creds/serve-auth.ts";
import { widthOption } from "./flags.ts";
import { LOG_LEVELS } from "./log.ts";

/** Adds `creds init`, `add`, `rotate`, `revoke` and `show`. */
export function addCreds({ program, io, setCode }: CommandContext): void {
  const creds = program
    .command("creds")
    .description("Issues who may speak in a fleet, and as whom, and takes it back.");
  withIssuer(creds.command("init"))
    .description(
      "Sets a fleet up: keys, a server's files, the credentials of its sink and provisioner.",
    )
    .option("--fleet <name>", "name of the fleet", "default")
    .addOption(
      new Option(
        "--mode <mode>",
        'jwt: the server checks JWTs; nkeys: it knows users by their keys; callout: it asks "creds serve"',
      )
        .choices(MODES)
        .default("jwt"),
    )
    .option("--url <url>", "where sessions reach the server", "nats://127.0.0.1:4222")
    .option("--listen <host:port>", "where it listens; by default the port of --url")
    .option("--tls-cert <file>", "the server's certificate, for a --url that begins with tls://")
    .option("--tls-key <file>", "its key")
    .option("--tls-ca <file>", "its authority, which join files then hold; else that of the system")
    .option("--tls-client-ca <file>", "authority of the certificates that speakers have to show")
    .addHelpText("after", INIT_HELP)
    .action(async (flags: InitFlags) => {
      setCode(await (await import("./creds/creds.ts")).runInit(flags, io));
    });
  withLife(withIssuer(creds.command("add")))
    .argument("<name...>", "names of sessions, operators or other speakers")
    .description(
      "Issues a credential to each: a join file for the machine that is to speak with it.",
    )
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).default("session"))
    .option("--agent <name>", "agent name it may claim, which rules of its parents may trust")
    .addHelpText("after", ADD_HELP)
    .action(async (names: readonly string[], flags: AddFlags) => {
      setCode(await (await import("./creds/creds.ts")).runAdd(names, flags, io));
    });
  withLife(withIssuer(creds.command("rotate")))
    .argument("<name>", "name that has a credential")
    .description("Issues a new credential; the old one counts until it is revoked with --old.")
    .action(async (name: string, flags: RotateFlags) => {
      setCode(await (await import("./creds/creds.ts")).runRotate(name, flags, io));
    });
  withIssuer(creds.command("revoke"))
    .argument("<name>", "name whose credentials end")
    .description("Ends what a name was issued; its connections are cut.")
    .option("--old", "all but the newest")
    .action(async (name: string, flags: RevokeFlags) => {
      setCode(await (await import("./creds/creds.ts")).runRevoke(name, flags, io));
    });
  withIssuer(creds.command("serve"))
    .description("Answers a server that asks who a connection is, in a fleet of --mode callout.")
    .option("--url <url>", "server to answer; by default that of the fleet")
    .option("--renew <span>", "longest time until a connection has to ask again", span, 300_000)
    .option("--tls-cert <file>", "own certificate, where the server demands one")
    .option("--tls-key <file>", "its key")
    .option("--log-level <level>", `${LOG_LEVELS.join(", ")} [ASKFABRIC_LOG_LEVEL]`)
    .addHelpText("after", SERVE_HELP)
    .action(async (flags: ServeAuthFlags) => {
      setCode(await (await import("./creds/serve-auth.ts")).runServeAuth(flags, io));
    });
  withIssuer(creds.command("show"))
    .description("Lists what was issued, and what still counts.")
    .action(async (flags: IssuerFlags) => {
      setCode((await import("./creds/creds.ts")).runShow(flags, io));
    });
}

function withIssuer(command: Command): Command {
  return command
    .option("--data <dir>", "data folder [ASKFABRIC_DATA]")
    .option("--issuer <dir>", "folder of the fleet's keys; by default issuer in the data folder")
    .option("--json", "print JSON lines")
    .addOption(widthOption());
}

function withLife(command: Command): Command {
  return command
    .option("--expires <span>", "life, such as 30m, 8h or 7d; without it there is no end", span)
    .option("--out <file>", "join file to write; by default in the folder issued beside the keys");
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a span as milliseconds. */
function span(given: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([smhd])$/.exec(given) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (count !== "" && ms > 0) return ms;
  throw new InvalidArgumentError("It must be a number and s, m, h or d, such as 8h.");
}

const INIT_HELP = `
Whoever has the files of that folder can speak as anybody: keep it on one machine, and away from sessions.
The server's file needs no change on a machine of its own; copy server.conf and accounts.conf there, and
accounts.conf again after each change. Records need a stream and somebody who keeps them.

Examples:
  askfabric creds init --url nats://hub.example:4222
  nats-server -c ~/.local/state/askfabric/issuer/server.conf
  askfabric audit provision --join ~/.local/state/askfabric/issuer/issued/provisioner.join.json
  askfabric audit run --join ~/.local/state/askfabric/issuer/issued/sink.join.json`;

const SERVE_HELP = `
Nobody can connect while no such program runs; run two of them, on the issuer's files. What is revoked or over is
refused at once for new connections, and at the end of --renew for those that stand. Needs nats-server 2.10.

Examples:
  askfabric creds serve
  askfabric creds serve --renew 1m`;

const ADD_HELP = `
The join file holds a secret key: bring it to that machine over a safe way, mode 600, and name it there by --join or
ASKFABRIC_JOIN. It speaks as this name and as no other.

Examples:
  askfabric creds add lead worker-2
  askfabric creds add worker-1 --agent builder --expires 8h
  askfabric creds add alice --role operator

A parent trusts agent names by its serve --roster, a copy of the issuer's roster.json, which holds no secret.`;
