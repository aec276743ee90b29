import { numberAt, type Sql, textAt } from "./statements.ts";

/** Where a session's chain of records stands, with what its outbox holds. */
export interface Tail {
  /** Place of the last record; 0 before the first. */
  readonly n: number;
  /** Base64url SHA-256 of the last record's header bytes; empty before the first. */
  readonly hash: string;
  readonly rows: number;
  readonly bytes: number;
  /** Records up to this place are acknowledged. */
  readonly ackedN: number;
}

/**
 * The tail of the chain. Inside a transaction it is read once and written once, however many records
 * are added: nobody else can move it meanwhile.
 */
export interface Chain {
  tail(): Tail;
  /** Moves the tail; only inside a transaction. */
  move(tail: Tail): void;
  /** Forgets what was read: the start of a transaction, or its undoing. */
  forget(): void;
  /** Writes the tail into the file; the last act of a transaction. */
  flush(): void;
  /** Remembers the tail as it is now; the returned function goes back to it. */
  mark(): () => void;
}

/** Reads and keeps the one row of table `chain`. */
export function chainOn(sql: Sql): Chain {
  const read = sql.prepare("SELECT * FROM chain");
  const write = sql.prepare("UPDATE chain SET n = ?, hash = ?, rows = ?, bytes = ?, acked_n = ?");
  let known: Tail | null = null;
  let moved = false;

  return {
    tail: () => {
      if (known !== null) return known;
      const tail = tailOf(read.get() ?? {});
      if (sql.inTransaction()) known = tail;
      return tail;
    },
    move: (tail) => {
      known = tail;
      moved = true;
    },
    forget: () => {
      known = null;
      moved = false;
    },
    flush: () => {
      if (known !== null && moved) {
        write.run(known.n, known.hash, known.rows, known.bytes, known.ackedN);
      }
    },
    mark: () => {
      const before = { known, moved };
      return () => {
        known = before.known;
        moved = before.moved;
      };
    },
  };
}

function tailOf(row: Parameters<typeof numberAt>[0]): Tail {
  return {
    n: numberAt(row, "n"),
    hash: textAt(row, "hash"),
    rows: numberAt(row, "rows"),
    bytes: numberAt(row, "bytes"),
    ackedN: numberAt(row, "acked_n"),
  };
}
