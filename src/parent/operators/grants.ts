import type { ControlAnswer, WantsGrants, WantsRevoke } from "../../ask/control.ts";
import { type Grant, STANDING_SCOPES } from "../../ask/grant.ts";
import { visibleCut } from "../../render/visible-text.ts";
import { grantEntry, plainEntry } from "../records.ts";
import { type Operator, type OperatorDesk, refuse } from "./operator.ts";

/** Room for what stands beside the items of an answer, in bytes. */
const FRAME_BYTES = 1_024;

const LONGEST_PATTERN = 2_000;
const LONGEST_NAME = 200;

/** Lists the grants in force at the session in the order they were given, as many as one answer holds. */
export function listGrants(
  { serving, line }: OperatorDesk,
  { after = "" }: WantsGrants,
): ControlAnswer {
  const now = serving.clock.now();
  const standing = STANDING_SCOPES.flatMap((scope) => serving.read.grants(now, scope))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .filter((grant) => keyOf(grant) > after);
  const grants: Grant[] = [];
  let room = line.maxBytes - FRAME_BYTES;
  for (const grant of standing) {
    const shown = inShort(grant);
    room -= Buffer.byteLength(JSON.stringify(shown)) + 1;
    const last = grants.at(-1);
    if (room < 0 && last !== undefined) return { op: "grants", grants, next: keyOf(last) };
    grants.push(shown);
  }
  return { op: "grants", grants };
}

/** Orders grants by when they were given; no two have the same. */
function keyOf({ grantedAt, grantId }: Grant): string {
  return `${String(grantedAt).padStart(16, "0")} ${grantId}`;
}

/** Its texts visible and cut: an ask may suggest what no answer could hold. */
function inShort(grant: Grant): Grant {
  const { surface, pattern, requestId, grantedBy } = grant;
  return {
    ...grant,
    surface: visibleCut(surface, LONGEST_NAME).text,
    pattern: visibleCut(pattern, LONGEST_PATTERN).text,
    requestId: visibleCut(requestId, LONGEST_NAME).text,
    grantedBy: grantedBy === null ? null : visibleCut(grantedBy, LONGEST_NAME).text,
  };
}

/** Takes a grant back: from here on nothing is allowed by it. What it allowed before stands. */
export function revoke(
  { serving }: OperatorDesk,
  by: Operator,
  { grantId }: WantsRevoke,
): ControlAnswer {
  const { draft, clock } = serving;
  const done = serving.ledger.commit((tx) => {
    const now = clock.now();
    const grant = tx.grant(grantId);
    if (grant === null || grant.expiresAt <= now || !tx.revokeGrant(grantId)) return null;
    const fields = { operator: by.name, op: "revoke", grantId };
    tx.record(plainEntry(draft, "operator.answered", grant.requestId, fields), now);
    const taken = { revokedBy: "operator", operator: by.name };
    tx.record(grantEntry(draft, "grant.revoked", grant, taken), now);
    return grant;
  });
  if (!done.kept) return refuse("unrecorded");
  if (done.value === null) return refuse("unknown_grant");
  serving.rules.reloadGrants();
  return { op: "revoke", revoked: inShort(done.value) };
}
