import { openStoreReads, type StoreFlags } from "./audit-store.ts";
import { filled, stamp, wholeLine } from "./audit-text.ts";
import { EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import type { DeadLetterLine } from "./lines.ts";

const PAGE = 200;

/** Shows the messages that were set aside because they are no records. */
export async function runDeadLetters(flags: StoreFlags, io: Io): Promise<number> {
  await using reads = await openStoreReads(flags, io);
  let shown = 0;
  let page = await reads.deadLetters(0, PAGE);
  while (page.length > 0 && !io.stop.aborted) {
    for (const { place, fault, message } of page) {
      const { subject, takenAt } = message;
      if (flags.json === true) {
        const data = Buffer.from(message.data).toString("base64");
        const headers = message.headers();
        printLine(io, {
          deadLetter: { place, fault, subject, headers, data, takenAt },
        } satisfies DeadLetterLine);
      } else {
        const size = `${String(message.data.length)} bytes`;
        const line = `${stamp(takenAt)}  ${filled(fault, 18)}  ${size.padStart(12)}  ${subject}`;
        io.write(wholeLine(line, flags.width));
      }
    }
    shown += page.length;
    page = await reads.deadLetters(page.at(-1)?.place ?? 0, PAGE);
  }
  if (shown === 0 && flags.json !== true) io.write("no message was set aside\n");
  return EXIT.ok;
}
