import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqliteReads, openSqliteStore } from "../../src/store/sqlite-store.ts";
import { aStorable } from "../support/stored-records.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { storeSuite } from "./store.suite.ts";

storeSuite("SQLite", async () => {
  const folder = tempFolder();
  return Promise.resolve({
    open: async () => openSqliteStore(join(folder.path, "audit", "records.sqlite")),
    [Symbol.asyncDispose]: async () => {
      folder[Symbol.dispose]();
      await Promise.resolve();
    },
  });
});

describe("the file of an audit store", () => {
  it("can be read by this user alone, whatever the umask, and so can what lies beside it", async () => {
    using folder = tempFolder();
    const before = process.umask(0);
    const file = join(folder.path, "audit", "records.sqlite");
    await using store = await openSqliteStore(file);
    await store.append({ records: [aStorable()], deadLetters: [] }, 1);
    process.umask(before);
    const place = join(folder.path, "audit");
    expect(readdirSync(place).length).toBeGreaterThan(1);
    const modes = readdirSync(place).map((name) => statSync(join(place, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(statSync(place).mode & 0o777).toBe(0o700);
  });

  it("is asked while it is written to, and when nobody writes", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "records.sqlite");
    const store = await openSqliteStore(file);
    await store.append({ records: [aStorable()], deadLetters: [] }, 1);
    await using beside = await openSqliteReads(file);
    expect((await beside.counts()).records).toBe(1);
    await store.append({ records: [aStorable({ n: 2 })], deadLetters: [] }, 1);
    expect((await beside.counts()).records).toBe(2);
    await store[Symbol.asyncDispose]();
    await using alone = await openSqliteReads(file);
    expect((await alone.counts()).records).toBe(2);
  });

  it("is taken by two writers in turn", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "records.sqlite");
    await using one = await openSqliteStore(file);
    await using other = await openSqliteStore(file);
    const record = aStorable();
    await one.append({ records: [record], deadLetters: [] }, 1);
    const again = await other.append({ records: [record, aStorable()], deadLetters: [] }, 1);
    expect(again).toEqual({ kept: 1, duplicates: 1, deadLetters: 0 });
  });

  it("is refused by name when it is none, a newer one, or not there", async () => {
    using folder = tempFolder();
    const path = (name: string): string => join(folder.path, name);
    const foreign = new DatabaseSync(path("foreign"));
    foreign.exec("CREATE TABLE t (x)");
    foreign.close();
    writeFileSync(path("text"), "no database at all, and long enough to be looked at as one");
    await (await openSqliteStore(path("newer")))[Symbol.asyncDispose]();
    const newer = new DatabaseSync(path("newer"));
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    mkdirSync(path("folder"));
    symlinkSync(path("loop"), path("loop"));
    await expect(openSqliteStore(path("foreign"))).rejects.toMatchObject({ code: "store_foreign" });
    await expect(openSqliteStore(path("text"))).rejects.toMatchObject({ code: "store_foreign" });
    await expect(openSqliteStore(path("newer"))).rejects.toMatchObject({ code: "store_newer" });
    await expect(openSqliteStore(path("folder"))).rejects.toMatchObject({ code: "store_unusable" });
    await expect(openSqliteReads(path("loop"))).rejects.toMatchObject({ code: "store_unusable" });
    await expect(openSqliteReads(path("absent"))).rejects.toMatchObject({
      code: "store_missing",
      message: expect.stringContaining(path("absent")) as string,
    });
  });

  it("says that its disk cannot be written, and takes the same batch when it can", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "records.sqlite");
    await using store = await openSqliteStore(file);
    const blocker = new DatabaseSync(file, { timeout: 0 });
    blocker.exec("BEGIN IMMEDIATE");
    const batch = { records: [aStorable()], deadLetters: [] };
    await expect(store.append(batch, 1)).rejects.toMatchObject({ code: "store_unusable" });
    blocker.exec("ROLLBACK");
    blocker.close();
    expect((await store.append(batch, 1)).kept).toBe(1);
  }, 20_000);
});
