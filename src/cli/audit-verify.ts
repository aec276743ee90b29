import {
  type SessionVerdict,
  type StoreFault,
  type VerifyFault,
  verifyRows,
  verifyStore,
} from "../audit/verify.ts";
import { sessionToken, tokenName } from "../bus/tokens.ts";
import type { AuditReads } from "../store/store.ts";
import { openStoreReads, type StoreFlags } from "./audit-store.ts";
import { filled, wholeLine } from "./audit-text.ts";
import { CommandError, EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import type { GapLine, StoreFaultLine, VerifiedLine } from "./lines.ts";

/** Flags of `audit verify` and `audit gaps`. */
export interface VerifyFlags extends StoreFlags {
  readonly session?: string;
}

/** Checks every chain, digest and gap; 1 when something is wrong. */
export async function runVerify(flags: VerifyFlags, io: Io): Promise<number> {
  await using reads = await openStoreReads(flags, io);
  const only = await onlySession(reads, flags);
  let sessions = 0;
  let records = 0;
  let faults = 0;
  for await (const verdict of verifyStore(reads, only)) {
    sessions += 1;
    records += verdict.records;
    faults += verdict.faults.length;
    showVerdict(verdict, flags, io);
  }
  if (only === undefined) {
    for await (const fault of verifyRows(reads)) {
      faults += 1;
      showRows(fault, flags, io);
    }
  }
  const { deadLetters } = await reads.counts();
  if (flags.json !== true) {
    const right = records === 0 ? "nothing to check" : "nothing is wrong";
    const found = faults === 0 ? right : counted(faults, "fault");
    const verb = deadLetters === 1 ? "was" : "were";
    const aside = deadLetters === 0 ? "" : `; ${counted(deadLetters, "message")} ${verb} set aside`;
    io.write(
      `${counted(records, "record")} of ${counted(sessions, "session")}: ${found}${aside}\n`,
    );
  }
  return faults === 0 ? EXIT.ok : EXIT.usage;
}

/** `1 record`, `2 records`. */
function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** The token of the session that a flag names. A name that the store does not know is no clean bill of health. */
async function onlySession(reads: AuditReads, flags: VerifyFlags): Promise<string | undefined> {
  if (flags.session === undefined) return undefined;
  const only = sessionToken(flags.session);
  const known = await reads.sessions();
  if (known.some(({ sessionToken: token }) => token === only)) return only;
  throw new CommandError(
    `the store has no record of session ${JSON.stringify(flags.session)}; "askfabric audit verify" without --session names those it has`,
  );
}

function showVerdict(verdict: SessionVerdict, { json, width }: VerifyFlags, io: Io): void {
  const { session, records, firstN, lastN, hash, erased, faults } = verdict;
  if (json === true) {
    const verified = { session, records, firstN, lastN, hash, erased, faults };
    return printLine(io, { verified } satisfies VerifiedLine);
  }
  const bodies =
    erased === 0 ? "" : `, ${String(erased)} ${erased === 1 ? "body" : "bodies"} erased`;
  const state = faults.length === 0 ? "ok  " : "FAIL";
  const span = `${String(firstN)} to ${String(lastN)}, ${counted(records, "record")}${bodies}`;
  io.write(wholeLine(`${state}  ${filled(session, 24)}  ${span}`, width));
  for (const fault of faults) io.write(wholeLine(`      ${sentenceOf(fault)}`, width, 8));
}

function showRows(found: StoreFault, { json, width }: VerifyFlags, io: Io): void {
  const storeFault = rowsOf(found);
  if (json === true) return printLine(io, { storeFault } satisfies StoreFaultLine);
  const { fault, from, fromPlace, toPlace } = storeFault;
  const what = from === "records" ? "record" : "set-aside message";
  const one = `the ${what} at place ${fromPlace}`;
  const counted = "of the store, counted as they came,";
  const many = `${toPlace - fromPlace + 1} ${what}s at places ${fromPlace} to ${toPlace}`;
  const removed = fromPlace === toPlace ? `${one} ${counted} was` : `${many} ${counted} were`;
  const text = fault === "removed" ? `${removed} removed` : `${one} is not the one that came`;
  io.write(wholeLine(`FAIL  ${text}`, width, 6));
}

function rowsOf(found: StoreFault): StoreFaultLine["storeFault"] {
  if (found.fault === "removed") return found;
  const { fault, place } = found;
  return { fault, from: "dead_letters", fromPlace: place, toPlace: place };
}

function sentenceOf(fault: VerifyFault): string {
  switch (fault.fault) {
    case "missing":
      return `records ${String(fault.fromN)} to ${String(fault.toN)} are missing`;
    case "chain_broken":
      return `record ${String(fault.n)} does not point at the record before it`;
    case "forked":
      return `more than one record is number ${String(fault.n)}`;
    case "body_changed":
      return `the body of record ${String(fault.n)} is not the one its header was made for`;
    case "columns_differ":
      return `record ${String(fault.n)} is filed under other values than its bytes hold`;
    case "header_unreadable":
      return `the header of record ${String(fault.n)} cannot be read`;
  }
}

/** Names the records that are missing; 1 when there are any. */
export async function runGaps(flags: VerifyFlags, io: Io): Promise<number> {
  await using reads = await openStoreReads(flags, io);
  const only = await onlySession(reads, flags);
  const gaps = await reads.gaps(only);
  for (const { sessionToken: token, fromN, toN } of gaps) {
    const session = tokenName(token);
    if (flags.json === true) printLine(io, { gap: { session, fromN, toN } } satisfies GapLine);
    else {
      const line = `${filled(session, 24)}  ${String(fromN)} to ${String(toN)} are missing`;
      io.write(wholeLine(line, flags.width));
    }
  }
  // What was removed at a session's end, or with all of it, leaves no gap behind.
  const removed = only === undefined ? await reads.removed() : [];
  const ofRecords = removed.filter(({ from }) => from === "records");
  for (const rows of ofRecords) showRows({ fault: "removed", ...rows }, flags, io);
  const none = gaps.length === 0 && ofRecords.length === 0;
  if (none && flags.json !== true) io.write("no record is missing\n");
  return none ? EXIT.ok : EXIT.usage;
}
