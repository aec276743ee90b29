import type { Grant } from "../ask/grant.ts";
import { filled, span, stamp, wholeLine } from "./audit-text.ts";
import { type Io, printLine } from "./io.ts";
import type { GrantLine } from "./lines.ts";

/** How grants are printed. */
export interface GrantPrint {
  readonly json?: boolean;
  /** Columns of a line for a person. */
  readonly width: number;
}

type Shown = GrantLine["grant"];

/** A grant with the session that keeps it, as lines show it. */
export function shownGrant(session: string, grant: Grant): Shown {
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

/** Prints a grant in force. */
export function printGrant(grant: Shown, { json, width }: GrantPrint, io: Io): void {
  if (json === true) printLine(io, { grant } satisfies GrantLine);
  else io.write(wholeLine(grantText(grant, io.clock.now()), width));
}

/** Prints a grant that was revoked. */
export function printRevoked(revoked: Shown, { json, width }: GrantPrint, io: Io): void {
  if (json === true) printLine(io, { revoked });
  else io.write(wholeLine(revokedText(revoked), width));
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
