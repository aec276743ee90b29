import { existsSync, statSync } from "node:fs";
import { answerAuth } from "../../access/callout.ts";
import type { Roster } from "../../access/roster.ts";
import { serveAuthRequests } from "../../bus/auth-requests.ts";
import { pairedTls } from "../connection.ts";
import { CommandError, EXIT } from "../failure.ts";
import { type Io, printLine, untilStopped } from "../io.ts";
import { openProgramLog, tlsOptions } from "../prepare.ts";
import { type IssuerFlags, issuerFolder } from "./issuer-flags.ts";
import { readIssuer } from "./issuer-folder.ts";

/** Flags of `creds serve`. */
export interface ServeAuthFlags extends IssuerFlags {
  /** Longest time until a connection has to ask again, in milliseconds. */
  readonly renew: number;
  readonly url?: string;
  readonly logLevel?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Answers a server that asks who a connection is, until it is stopped. Two may run beside each other. */
export async function runServeAuth(flags: ServeAuthFlags, io: Io): Promise<number> {
  const folder = issuerFolder(flags, io);
  const { roster, keys, files } = readIssuer(folder);
  if (keys.mode !== "callout" || keys.serviceSeed === undefined) {
    throw new CommandError(
      `the fleet in ${folder} is set up by ${roster.mode}, and its server asks nobody; "askfabric creds init --mode callout" sets up one that does`,
    );
  }
  const log = openProgramLog(flags, io, "info");
  const current = followRoster(files.roster, folder);
  const { issuer, serviceSeed: creds } = keys;
  const servers = flags.url ?? roster.url;
  const { tlsCert: certFile, tlsKey: keyFile } = flags;
  const caFile = existsSync(files.ca) ? files.ca : undefined;
  const tls = tlsOptions(pairedTls({ caFile, certFile, keyFile }));
  await using service = await serveAuthRequests(
    { servers, creds, name: "askfabric creds serve", signal: io.stop, ...tls },
    {
      log,
      answer: async (question) => {
        const now = io.clock.now();
        const parts = { roster: current(), issuer, now, renewMs: flags.renew };
        const answered = await answerAuth(question, parts);
        if (answered !== null) {
          const { name, fault } = answered;
          if (fault === null) log.debug({ name }, "a connection speaks");
          else log.warn({ fault }, "a connection was refused");
        }
        return answered?.jwt ?? null;
      },
    },
  );
  printLine(io, { ready: true, url: servers, fleet: roster.fleet });
  await Promise.race([untilStopped(io.stop), service.closed]);
  await log.flush();
  if (io.stop.aborted) return EXIT.ok;
  throw new CommandError(
    "the connection to NATS is closed for good, and nobody new can connect; start this program again",
  );
}

/** The roster as it stands, read again when its file has changed. */
function followRoster(file: string, folder: string): () => Roster {
  let roster: Roster | null = null;
  let stamp = "";
  return () => {
    const { mtimeNs, ino } = statSync(file, { bigint: true });
    const now = `${String(ino)} ${String(mtimeNs)}`;
    if (roster === null || now !== stamp) {
      roster = readIssuer(folder).roster;
      stamp = now;
    }
    return roster;
  };
}
