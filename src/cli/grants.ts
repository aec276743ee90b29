import type { Grant } from "../ask/grant.ts";
import type { RecordDraft } from "../ask/record.ts";
import { readAllGrants } from "../journal/read-grants.ts";
import { revokeGrant } from "../journal/revoke-grant.ts";
import { boundRecord } from "../render/bound-record.ts";
import { visibleText } from "../render/visible-text.ts";
import { wholeLine } from "./audit-text.ts";
import type { ConnectionFlags } from "./connection.ts";
import { CommandError, EXIT } from "./failure.ts";
import { printGrant, printRevoked, shownGrant } from "./grant-text.ts";
import type { Io } from "./io.ts";
import type { GrantLine } from "./lines.ts";
import { dataFolder } from "./places.ts";

/** Flags of `grants list`. */
export interface ListGrantsFlags extends AfarFlags {
  readonly data?: string;
  readonly session?: string;
  readonly json?: boolean;
  /** Columns of a line for a person. */
  readonly width: number;
}

/** Flags of `grants revoke`. */
export interface RevokeGrantsFlags extends ListGrantsFlags {
  readonly all?: boolean;
}

type Shown = GrantLine["grant"];

/** Lists grants from the journals here, or as an operator from the sessions that keep them. */
export async function runListGrants(
  flags: ListGrantsFlags & ConnectionFlags,
  io: Io,
): Promise<number> {
  if (!isAfar(flags)) return listGrantsHere(flags, io);
  return (await import("./operator/grants-afar.ts")).runListGrantsAfar(flags, io);
}

/** Revokes grants in the journals here, or as an operator at the session that keeps them. */
export async function runRevokeGrants(
  ids: readonly string[],
  flags: RevokeGrantsFlags & ConnectionFlags,
  io: Io,
): Promise<number> {
  checkNamed(ids, flags);
  if (!isAfar(flags)) return revokeGrantsHere(ids, flags, io);
  return (await import("./operator/grants-afar.ts")).runRevokeGrantsAfar(ids, flags, io);
}

/** Whoever names an operator or a server asks sessions. */
function isAfar({ as, url, tokenFile, creds, join, fleet }: AfarFlags & ConnectionFlags): boolean {
  return [as, url, tokenFile, creds, join, fleet].some(Boolean);
}

interface AfarFlags {
  readonly as?: string;
}

/** Lists the grants in force, by session and in the order they were given. */
function listGrantsHere(flags: ListGrantsFlags, io: Io): number {
  const grants = grantsOf(flags, io);
  for (const grant of grants) {
    printGrant(grant, flags, io);
  }
  if (grants.length === 0 && flags.json !== true) {
    const whose = flags.session === undefined ? "" : ` of session ${flags.session}`;
    io.write(wholeLine(`no grant${whose} is in force in ${dataFolder(flags, io)}`, flags.width));
  }
  return EXIT.ok;
}

/** Revokes grants by id, or all. */
async function revokeGrantsHere(
  ids: readonly string[],
  flags: RevokeGrantsFlags,
  io: Io,
): Promise<number> {
  const standing = grantsOf(flags, io);
  const wanted = new Set(ids);
  const missing = new Set(ids);
  for (const grant of standing) {
    if (flags.all !== true && !wanted.has(grant.grantId)) continue;
    const was = await revokeGrant({
      folder: dataFolder(flags, io),
      session: grant.session,
      grantId: grant.grantId,
      draft: revokedEntry,
      clock: io.clock,
    });
    if (was === null) continue;
    missing.delete(grant.grantId);
    printRevoked(shownGrant(grant.session, was), flags, io);
  }
  for (const id of missing) {
    io.complain(
      `askfabric: no grant ${visibleText(JSON.stringify(id))} is in force in ${dataFolder(flags, io)}; "askfabric grants list" shows those that are\n`,
    );
  }
  return missing.size === 0 ? EXIT.ok : EXIT.usage;
}

/** @throws {@link CommandError} when neither or both of ids and `--all` are given. */
function checkNamed(ids: readonly string[], { all }: Pick<RevokeGrantsFlags, "all">): void {
  if ((all === true) !== ids.length > 0) return;
  throw new CommandError(
    'name the grants to revoke, or all of them by --all and not both; "askfabric grants list" shows their ids',
  );
}

function grantsOf({ session, ...flags }: ListGrantsFlags, io: Io): readonly Shown[] {
  return readAllGrants(dataFolder(flags, io), io.clock.now())
    .filter((one) => session === undefined || one.session === session)
    .flatMap((one) => one.grants.map((grant) => shownGrant(one.session, grant)));
}

function revokedEntry(grant: Grant): RecordDraft {
  const body = boundRecord({ event: "grant.revoked", ...grant, revokedBy: "operator" });
  return { kind: "review", requestId: grant.requestId, body };
}
