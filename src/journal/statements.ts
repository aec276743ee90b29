import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { closedError, toJournalError } from "./failure.ts";
import { fromStoredText, toStoredText } from "./stored-text.ts";

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A prepared statement. Failures of the file are thrown as `JournalError`. */
export interface Statement {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Changes rows and returns how many; only inside a transaction. */
  run(...values: SQLInputValue[]): number;
  /** Steps a statement that changes no rows by itself, such as one that begins or ends a transaction. */
  step(): void;
}

/** An open file with its prepared statements. */
export interface Sql {
  readonly file: string;
  prepare(text: string): Statement;
  exec(text: string): void;
  inTransaction(): boolean;
  /** Forgets which changes were made: a transaction begins or has ended. */
  forgetChanges(): void;
  /** How many changes were made since they were forgotten. */
  changeCount(): number;
  /** Makes the first `count` changes once more, after all of them were undone. */
  repeatChanges(count: number): void;
}

/** Puts the one translation of failures around every statement on `database`. */
export function sqlOn(database: DatabaseSync, file: string): Sql {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw database.isOpen ? toJournalError(error, file) : closedError(file);
    }
  };
  let made: { readonly statement: StatementSync; readonly values: SQLInputValue[] }[] = [];
  const change = (statement: StatementSync, values: SQLInputValue[]): number => {
    if (database.isOpen && !database.isTransaction) {
      throw new Error("A change of the journal was made outside its transaction.");
    }
    const { changes } = statement.run(...stored(values));
    if (changes !== 0) made.push({ statement, values });
    return Number(changes);
  };
  return {
    file,
    prepare: (text) => {
      const statement = guarded(() => database.prepare(text));
      return {
        get: (...values) => guarded(() => statement.get(...stored(values))),
        all: (...values) => guarded(() => statement.all(...stored(values))),
        run: (...values) => guarded(() => change(statement, values)),
        step: () => guarded(() => void statement.run()),
      };
    },
    exec: (text) => guarded(() => database.exec(text)),
    inTransaction: () => database.isTransaction,
    forgetChanges: () => {
      made = [];
    },
    changeCount: () => made.length,
    repeatChanges: (count) => {
      made.length = count;
      guarded(() => {
        for (const { statement, values } of made) statement.run(...values);
      });
    },
  };
}

/** In place: the list of a call is nobody else's. */
function stored(values: SQLInputValue[]): SQLInputValue[] {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (typeof value === "string") values[i] = toStoredText(value);
  }
  return values;
}

/** Reads a text column. */
export function textAt(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`Column ${column} holds no text.`);
  return fromStoredText(value);
}

/** Reads a text column that may be null. */
export function textOrNullAt(row: Row, column: string): string | null {
  return row[column] === null ? null : textAt(row, column);
}

/** Reads an integer column. */
export function numberAt(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`Column ${column} holds no number.`);
  return value;
}

/** Reads an integer column that may be null. */
export function numberOrNullAt(row: Row, column: string): number | null {
  return row[column] === null ? null : numberAt(row, column);
}

/** Reads a column of bytes. */
export function bytesAt(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} holds no bytes.`);
  return value;
}

/** Reads a text column that holds one word of a closed list. */
export function wordAt<W extends string>(row: Row, column: string, words: readonly W[]): W {
  const text = textAt(row, column);
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new TypeError(`Column ${column} holds an unknown word.`);
  return word;
}

/** Epoch milliseconds as the file keeps them: whole, because its columns refuse fractions. */
export function wholeMs(time: number): number {
  return Math.round(time);
}
