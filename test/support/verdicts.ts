import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What the last record of a deciding node says of one ask, and whether it says that it had no effect. */
export interface RecordedVerdict {
  readonly approved: boolean;
  readonly late: boolean;
}

const VERDICTS: Readonly<Record<string, boolean>> = {
  "forwarded_permission.approved": true,
  "forwarded_permission.auto_approved": true,
  "forwarded_permission.denied": false,
  "forwarded_permission.auto_denied": false,
};

/** Reads the outbox of a session's journal: the last verdict it recorded for each request id. */
export function recordedVerdicts(data: string, session: string): Map<string, RecordedVerdict> {
  const verdicts = new Map<string, RecordedVerdict>();
  for (const { event, requestId } of entriesOf(data, session)) {
    const approved = VERDICTS[event];
    const known = verdicts.get(requestId);
    if (approved !== undefined) verdicts.set(requestId, { approved, late: false });
    else if (event === "forwarded_permission.late_decision" && known !== undefined) {
      verdicts.set(requestId, { ...known, late: true });
    }
  }
  return verdicts;
}

/** How often a session recorded `event` for each request id. */
export function countEntries(data: string, session: string, event: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entriesOf(data, session)) {
    if (entry.event !== event) continue;
    counts.set(entry.requestId, (counts.get(entry.requestId) ?? 0) + 1);
  }
  return counts;
}

interface Entry {
  readonly event: string;
  readonly requestId: string;
}

function entriesOf(data: string, session: string): Entry[] {
  const folder = join(data, "journals");
  const name = readdirSync(folder).find((file) => file.endsWith(`${session}.sqlite`));
  if (name === undefined) throw new Error(`no journal of ${session} in ${folder}`);
  const database = new DatabaseSync(join(folder, name), { readOnly: true });
  try {
    return database
      .prepare("SELECT CAST(body AS TEXT) AS body FROM outbox ORDER BY n")
      .all()
      .map((row) => JSON.parse(String(row["body"])) as Partial<Entry>)
      .flatMap(({ event, requestId }) =>
        event === undefined || requestId === undefined ? [] : [{ event, requestId }],
      );
  } finally {
    database.close();
  }
}
