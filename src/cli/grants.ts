import type { Grant } from "../ask/grant.ts";
import type { RecordDraft } from "../ask/record.ts";
import { readAllGrants } from "../journal/read-grants.ts";
import { revokeGrant } from "../journal/revoke-grant.ts";
import { boundRecord } from "../render/bound-record.ts";
import { visibleText } from "../render/visible-text.ts";
import { filled, span, stamp, wholeLine } from "./audit-text.ts";
import { CommandError, EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import type { GrantLine } from "./lines.ts";
import { dataFolder } from "./places.ts";

/** Flags of `grants list`. */
export interface ListGrantsFlags {
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

/** Lists the grants in force, by session and in the order they were given. */
export function runListGrants(flags: ListGrantsFlags, io: Io): number {
  const grants = grantsOf(flags, io);
  for (const grant of grants) {
    if (flags.json === true) printLine(io, { grant } satisfies GrantLine);
    else io.write(wholeLine(grantText(grant, io.clock.now()), flags.width));
  }
  if (grants.length === 0 && flags.json !== true) {
    const whose = flags.session === undefined ? "" : ` of session ${flags.session}`;
    io.write(wholeLine(`no grant${whose} is in force in ${dataFolder(flags, io)}`, flags.width));
  }
  return EXIT.ok;
}

/** Revokes grants by id, or all. @throws {@link CommandError} when none is named. */
export async function runRevokeGrants(
  ids: readonly string[],
  flags: RevokeGrantsFlags,
  io: Io,
): Promise<number> {
  if ((flags.all === true) === ids.length > 0) {
    throw new CommandError(
      'name the grants to revoke, or all of them by --all and not both; "askfabric grants list" shows their ids',
    );
  }
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
    const revoked = shown(grant.session, was);
    if (flags.json === true) printLine(io, { revoked });
    else io.write(wholeLine(revokedText(revoked), flags.width));
  }
  for (const id of missing) {
    io.complain(
      `askfabric: no grant ${visibleText(JSON.stringify(id))} is in force in ${dataFolder(flags, io)}; "askfabric grants list" shows those that are\n`,
    );
  }
  return missing.size === 0 ? EXIT.ok : EXIT.usage;
}

function grantsOf({ session, ...flags }: ListGrantsFlags, io: Io): readonly Shown[] {
  return readAllGrants(dataFolder(flags, io), io.clock.now())
    .filter((one) => session === undefined || one.session === session)
    .flatMap((one) => one.grants.map((grant) => shown(one.session, grant)));
}

function shown(session: string, grant: Grant): Shown {
  const { grantId, scope, surface, pattern, width, requestId } = grant;
  const { grantedBy, grantedAt, expiresAt, uses } = grant;
  return {
    session,
    grantId,
    scope,
    surface,
    pattern,
    width,
    requestId,
    grantedBy,
    grantedAt,
    expiresAt,
    uses,
  };
}

function grantText(grant: Shown, now: number): string {
  const { grantId, session, scope, surface, pattern, grantedBy, grantedAt, expiresAt, uses } =
    grant;
  const whose = scope === "child_session" ? "own calls" : "all it serves";
  const by = grantedBy === null ? "" : ` by ${grantedBy}`;
  return `${grantId}  ${filled(session, 12)}  ${filled(whose, 13)}  ${surface} ${pattern}  ${uses} used, ${span(expiresAt - now)} left, given ${stamp(grantedAt)}${by}`;
}

function revokedText({ grantId, session, surface, pattern, uses }: Shown): string {
  const stands = uses === 0 ? "it was never used" : `${uses} allowed by it before, which stands`;
  return `revoked ${grantId} of ${session}: ${surface} ${pattern}; ${stands}`;
}

function revokedEntry(grant: Grant): RecordDraft {
  const body = boundRecord({ event: "grant.revoked", ...grant, revokedBy: "operator" });
  return { kind: "review", requestId: grant.requestId, body };
}
