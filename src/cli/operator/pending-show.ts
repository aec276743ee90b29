import type { PromptPermissionDetails } from "../../ask/details.ts";
import type { ShownWhole } from "../../bus/operator-line.ts";
import { renderDialog } from "../../render/dialog.ts";
import { span, wholeLine } from "../audit-text.ts";
import { CommandError, EXIT } from "../failure.ts";
import { type Io, printLine } from "../io.ts";
import type { ShownLine } from "./lines.ts";
import {
  failed,
  type OperatorFlags,
  type OperatorTools,
  openOperator,
  sessionsFor,
} from "./open-operator.ts";
import { holderOf } from "./pending-list.ts";

/** Columns of a dialog where nothing bounds them. */
const WIDEST = 120;

/** An ask that was found, and where. */
export interface FoundAsk extends ShownWhole {
  readonly session: string;
}

/** Shows one open ask, nothing left out. */
export async function runShowPending(
  requestId: string,
  flags: OperatorFlags,
  io: Io,
): Promise<number> {
  await using tools = await openOperator(flags, io);
  const found = await findAsk(requestId, flags, tools, io);
  printShown(found, flags, io);
  return EXIT.ok;
}

/** Finds an open ask at the session named, or at whichever serves it. @throws {@link CommandError} */
export async function findAsk(
  requestId: string,
  flags: OperatorFlags,
  tools: OperatorTools,
  io: Io,
): Promise<FoundAsk> {
  const sessions = await sessionsFor(flags, tools, io);
  for (const session of sessions) {
    const reply = await tools.line.show(session, requestId);
    if (reply.op === "whole") return { session, ...reply };
    const isElsewhere = reply.op === "refused" && reply.refused.why === "unknown_request";
    if (flags.session || !(isElsewhere || reply.op === "silence")) failed(session, reply);
  }
  throw new CommandError(
    `no session that is heard has an open ask ${JSON.stringify(requestId)}; "askfabric pending list" shows those that are open`,
  );
}

/** Prints an ask, for a person or as a line. */
export function printShown({ session, shown, part }: FoundAsk, flags: OperatorFlags, io: Io): void {
  const { digest, state, heldBy, childGone, expiresAt } = part;
  if (flags.json === true) {
    const gone = childGone === undefined ? {} : { childGone };
    const { requestId } = shown;
    const at = { session, requestId, digest, state, heldBy, ...gone, expiresAt };
    return printLine(io, { shown: { ...at, ask: shown } } satisfies ShownLine);
  }
  const { title, rows } = dialogOf(shown, flags.width);
  const grants = shown.sessionApproval?.grants ?? [];
  const left = expiresAt - io.clock.now();
  const lines = [
    title,
    ...rows,
    ...grants.map(({ surface, pattern }) => `grant     : ${surface} ${pattern} (with --scope)`),
    `at        : session ${session}, ${holderOf(part)}, ${left > 0 ? `${span(left)} left` : "its time is over"}`,
    `digest    : ${digest}`,
  ];
  for (const line of lines) io.write(wholeLine(line, flags.width));
}

function dialogOf(
  details: Omit<PromptPermissionDetails, "accessIntent">,
  columns: number,
): ReturnType<typeof renderDialog> {
  return renderDialog(details.payload, {
    width: Number.isFinite(columns) ? columns : WIDEST,
    maxRows: null,
    fieldMaxWidth: null,
    forwarded: details.forwarding !== null,
    via: details.forwarding?.via ?? [],
  });
}
