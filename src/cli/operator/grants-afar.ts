import type { Grant } from "../../ask/grant.ts";
import type { ControlReply, OperatorLine } from "../../bus/operator-line.ts";
import { visibleText } from "../../render/visible-text.ts";
import { wholeLine } from "../audit-text.ts";
import { CommandError, EXIT } from "../failure.ts";
import { printGrant, printRevoked, shownGrant } from "../grant-text.ts";
import type { Io } from "../io.ts";
import { failed, type OperatorFlags, openOperator, sessionsFor } from "./open-operator.ts";

/** Flags of `grants revoke` from afar. */
export interface RevokeAfarFlags extends OperatorFlags {
  readonly all?: boolean;
}

/** Lists the grants in force at a session, or at all that are heard. */
export async function runListGrantsAfar(flags: OperatorFlags, io: Io): Promise<number> {
  await using tools = await openOperator(flags, io);
  const sessions = await sessionsFor(flags, tools, io);
  let shown = 0;
  for (const session of sessions) {
    const grants = await grantsAt(tools.line, session);
    for (const grant of grants) printGrant(shownGrant(session, grant), flags, io);
    shown += grants.length;
  }
  if (shown === 0 && flags.json !== true) {
    const where =
      sessions.length === 0 ? "here: no session is heard to serve" : sessions.join(", ");
    io.write(wholeLine(`no grant is in force at ${where}`, flags.width));
  }
  return EXIT.ok;
}

/** Revokes grants of one session by id, or all of them. */
export async function runRevokeGrantsAfar(
  ids: readonly string[],
  flags: RevokeAfarFlags,
  io: Io,
): Promise<number> {
  const { session } = flags;
  if (!session) throw new CommandError("name the session that keeps the grants with --session");
  await using tools = await openOperator(flags, io);
  const wanted =
    flags.all === true ? (await grantsAt(tools.line, session)).map(({ grantId }) => grantId) : ids;
  let isWhole = true;
  for (const grantId of wanted) {
    const reply = await tools.line.ask(session, { op: "revoke", wants: { grantId } });
    if (reply.op === "revoke") printRevoked(shownGrant(session, reply.revoked), flags, io);
    else if (isUnknown(reply)) {
      isWhole = false;
      const named = visibleText(JSON.stringify(grantId));
      io.complain(
        `askfabric: no grant ${named} is in force at session ${session}; "askfabric grants list" shows those that are\n`,
      );
    } else failed(session, reply);
  }
  return isWhole ? EXIT.ok : EXIT.usage;
}

const isUnknown = (reply: ControlReply): boolean =>
  reply.op === "refused" && reply.refused.why === "unknown_grant";

/** Parts of a list that are fetched: more than a session keeps. */
const MOST_PARTS = 1_000;

async function grantsAt(line: OperatorLine, session: string): Promise<readonly Grant[]> {
  const grants: Grant[] = [];
  let after = "";
  for (let parts = 0; parts < MOST_PARTS; parts += 1) {
    const wants = after === "" ? {} : { after };
    const reply = await line.ask(session, { op: "grants", wants });
    if (reply.op !== "grants") failed(session, reply);
    grants.push(...reply.grants);
    if (reply.next === undefined || reply.next <= after) return grants;
    after = reply.next;
  }
  failed(session, { op: "silence", why: "endless" });
}
