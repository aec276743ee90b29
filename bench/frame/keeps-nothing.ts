import type { Journal, JournalReads, JournalWrites } from "../../src/journal/journal.ts";

/**
 * A journal that keeps nothing and is at once done with every work: what an ask costs without records. No
 * program can be set so.
 */
export function keepsNothing(session: string): Journal {
  const read: JournalReads = {
    outbox: () => [],
    parked: () => [],
    outboxSize: () => ({ rows: 0, bytes: 0 }),
    outboxState: () => ({ firstN: 1, ackedN: 0, parked: 0 }),
    head: () => ({ n: 0, hash: "" }),
    childAsk: () => null,
    orphans: () => [],
    passedBody: () => null,
    outlivedPassedAsks: () => [],
    ownerLives: () => true,
    queuedCancels: () => [],
    servedAsk: () => null,
    openServedAsks: () => [],
    openServedAsksAfter: () => [],
    unreceiptedServedAsks: () => [],
    hasTombstone: () => false,
    grants: () => [],
    grant: () => null,
  };
  const nothing = (): void => undefined;
  const writes: JournalWrites = {
    ...read,
    ackOutbox: nothing,
    renewOutbox: nothing,
    parkOutbox: nothing,
    dropParked: nothing,
    trimOutbox: () => 0,
    insertChildAsk: nothing,
    passOnAsk: () => true,
    moveChildAsk: () => true,
    endChildAsk: () => true,
    queueCancel: nothing,
    dropCancel: nothing,
    insertServedAsk: nothing,
    insertEndedAsk: () => true,
    markAccepted: nothing,
    countPresented: () => 0,
    endServedAsk: () => true,
    setReceipt: () => true,
    insertTombstone: nothing,
    addGrant: nothing,
    countGrantUse: nothing,
    revokeGrant: () => false,
    takeExpiredGrants: () => [],
    record: () => {
      throw new Error("a journal that keeps nothing was asked for a record");
    },
    sweep: () => 0,
  };
  const done = async (): Promise<void> => Promise.resolve();
  return {
    session,
    file: "",
    incarnation: "1.0000000000000001",
    life: 1,
    owner: "1.0000000000000001",
    read,
    write: (work) => work({ ...writes, record: () => NO_HEADER }),
    group: done,
    soon: done,
    close: done,
    [Symbol.asyncDispose]: done,
  };
}

const NO_HEADER: ReturnType<JournalWrites["record"]> = {
  eventId: "",
  session: "",
  n: 0,
  prev: null,
  kind: "review",
  time: 0,
  requestId: null,
  incarnation: "1.0000000000000001",
  bodyDigest: "",
};
