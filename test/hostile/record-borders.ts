import { describeEntry } from "../../src/audit/describe-entry.ts";
import { orderStory } from "../../src/audit/order-story.ts";
import { readStored } from "../../src/audit/read-record.ts";
import type { Story } from "../../src/audit/story.ts";
import { wholeLine } from "../../src/cli/audit-text.ts";
import { printLine } from "../../src/cli/io.ts";
import { recordLine } from "../../src/cli/record-line.ts";
import { storyText } from "../../src/cli/story-text.ts";
import type { StoredRecord } from "../../src/store/store.ts";
import { type ReadRecord, readRecord, recordDigest } from "../../src/wire/record.ts";
import { createSubjects } from "../../src/wire/subjects.ts";
import { type Border, REFUSED, type Told, taken } from "./border.ts";

const SUBJECTS = createSubjects("af.v1.test");
const SUBJECT = SUBJECTS.of("audit", { session: "worker", record: "review" });
const SALT = Buffer.alloc(16, 1);
const EVENT_ID = "0".repeat(32);

const HEADER = {
  eventId: EVENT_ID,
  session: "worker",
  n: 1,
  prev: null,
  kind: "review",
  time: 1_000,
  requestId: "perm-1",
  incarnation: "1.a",
};

const BODY = {
  event: "authorizer_chain_resolved",
  requestId: "perm-1",
  links: ["judge", "guard"],
  decidedBy: {
    kind: "forwarded",
    responderSessionId: "lead",
    decision: { kind: "user", via: "operator", approver: "ann" },
  },
  lost: "timed_out",
  denialReason: "no",
  targetSessionId: "lead",
  requesterSessionId: "worker",
  reprompt: 1,
  source: "user",
  path: "permission",
  surface: "bash",
  value: "ls",
};

function take(header: Uint8Array, body: Uint8Array): Told {
  const headers: Readonly<Record<string, string>> = {
    "Nats-Msg-Id": EVENT_ID,
    "Af-Record": Buffer.from(header).toString("base64url"),
    "Af-Salt": SALT.toString("base64url"),
  };
  const message = { subject: SUBJECT, data: body, header: (name: string) => headers[name] };
  const read = readRecord(SUBJECTS, message);
  return read.ok ? taken(shownOf(read.record)) : REFUSED;
}

/** All that `audit list` and `audit trace` say of it, for a person and as lines. */
function shownOf({ head, header, salt, body, names, sessionToken }: ReadRecord): string {
  const { eventId, n, kind, requestId, time } = head;
  const filed = { eventId, sessionToken, n, kind, requestId, time, ...names };
  const stored: StoredRecord = { place: 1, ...filed, header, salt, body, takenAt: 1, keptAt: 1 };
  const readable = readStored(stored);
  if (readable === null) throw new Error("a record that was taken cannot be read again");
  const { entries, nodes } = orderStory([readable, readable]);
  const story: Story = { requestId: "perm-1", entries, nodes, ending: readable, missing: 0 };
  const lines: string[] = [storyText(story, 80), wholeLine(describeEntry(readable), 80)];
  printLine({ write: (line) => lines.push(line) }, recordLine(stored));
  return lines.join("\n");
}

/** Where what sessions record is kept and told. */
export const RECORD_BORDERS: readonly Border[] = [
  {
    name: "the body of a record",
    sound: JSON.stringify(BODY),
    take: (body) => {
      const bodyDigest = recordDigest(SALT, body);
      return take(Buffer.from(JSON.stringify({ ...HEADER, bodyDigest })), body);
    },
  },
  ...["operator.answered", "forwarded_permission.accepted", "config.issue"].map(
    (event): Border => ({
      name: `the body of a record of ${event}`,
      sound: JSON.stringify({ event, requestId: "perm-1", op: "answer", operator: "ann" }),
      take: (body) => {
        const bodyDigest = recordDigest(SALT, body);
        return take(Buffer.from(JSON.stringify({ ...HEADER, bodyDigest })), body);
      },
    }),
  ),
  {
    name: "the header of a record",
    sound: JSON.stringify({ ...HEADER, bodyDigest: recordDigest(SALT, Buffer.from("{}")) }),
    take: (header) => take(header, Buffer.from("{}")),
  },
];
