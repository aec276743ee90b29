import { GRANT_WIDTHS, type Grant, STANDING_SCOPES } from "../ask/grant.ts";
import type { JournalReads, JournalWrites } from "./journal.ts";
import {
  numberAt,
  type Row,
  type Sql,
  textAt,
  textOrNullAt,
  wholeMs,
  wordAt,
} from "./statements.ts";

type Reads = Pick<JournalReads, "grants" | "grant">;
type Writes = Pick<
  JournalWrites,
  "addGrant" | "countGrantUse" | "revokeGrant" | "takeExpiredGrants"
>;

/** Grants of the session life `life`, in the order they were given. */
export function sessionGrants(
  sql: Sql,
  life: number,
): { readonly reads: Reads; readonly writes: Writes } {
  const standing = sql.prepare(
    "SELECT * FROM session_grant WHERE life = ? AND expires_at > ? AND scope = ? ORDER BY place",
  );
  const one = sql.prepare("SELECT * FROM session_grant WHERE grant_id = ? AND life = ?");
  const expired = sql.prepare(
    "SELECT * FROM session_grant WHERE life = ? AND expires_at <= ? AND scope = ? ORDER BY place",
  );
  const add = sql.prepare(
    `INSERT INTO session_grant (grant_id, life, request_id, surface, pattern, width, granted_by,
       granted_at, expires_at, uses, scope)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const use = sql.prepare(
    "UPDATE session_grant SET uses = uses + 1 WHERE grant_id = ? AND life = ?",
  );
  const revoke = sql.prepare("DELETE FROM session_grant WHERE grant_id = ? AND life = ?");

  return {
    reads: {
      grants: (now, scope) => standing.all(life, wholeMs(now), scope).map(grantOf),
      grant: (grantId) => {
        const row = one.get(grantId, life);
        return row === undefined ? null : grantOf(row);
      },
    },
    writes: {
      addGrant: (grant) => {
        add.run(
          grant.grantId,
          life,
          grant.requestId,
          grant.surface,
          grant.pattern,
          grant.width,
          grant.grantedBy,
          wholeMs(grant.grantedAt),
          wholeMs(grant.expiresAt),
          grant.uses,
          grant.scope,
        );
      },
      countGrantUse: (grantId) => {
        use.run(grantId, life);
      },
      revokeGrant: (grantId) => revoke.run(grantId, life) > 0,
      takeExpiredGrants: (now, scope) => {
        const taken = expired.all(life, wholeMs(now), scope).map(grantOf);
        for (const { grantId } of taken) revoke.run(grantId, life);
        return taken;
      },
    },
  };
}

function grantOf(row: Row): Grant {
  return Object.freeze({
    grantId: textAt(row, "grant_id"),
    requestId: textAt(row, "request_id"),
    surface: textAt(row, "surface"),
    pattern: textAt(row, "pattern"),
    width: wordAt(row, "width", GRANT_WIDTHS),
    scope: wordAt(row, "scope", STANDING_SCOPES),
    grantedBy: textOrNullAt(row, "granted_by"),
    grantedAt: numberAt(row, "granted_at"),
    expiresAt: numberAt(row, "expires_at"),
    uses: numberAt(row, "uses"),
  });
}
