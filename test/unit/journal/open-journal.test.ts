import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { aChildAsk, aDraft, aFolder, failureOf, openAt } from "../../support/journal-parts.ts";
import { textLike } from "../../support/text-like.ts";

/** Every file and folder below `folder` with its permission bits. */
function modesOf(folder: string): Record<string, string> {
  const modes: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const mode = statSync(join(folder, name)).mode & 0o777;
    modes[name.replace(/\d+\.[0-9a-f]{16}/, "<incarnation>")] = mode.toString(8);
  }
  return modes;
}

/** Makes a journal for `session-1` and returns its path, with nobody having it open. */
async function aClosedJournal(folder: string): Promise<string> {
  const journal = await openAt(folder);
  journal.write((tx) => {
    for (let time = 0; time < 200; time += 1) {
      tx.record(aDraft({ body: { event: "x".repeat(500) } }), time);
    }
  });
  await journal.close(true);
  return journal.file;
}

describe("the files of a journal", () => {
  it.each([0o000, 0o077, 0o022])(
    "are for their owner alone under umask %o, those that SQLite makes among them",
    async (mask) => {
      using folder = aFolder();
      const before = process.umask(mask);
      try {
        await using journal = await openAt(join(folder.path, "data"));
        journal.write((tx) => tx.insertChildAsk(aChildAsk()));
        expect(modesOf(folder.path)).toEqual({
          data: "700",
          "data/journals": "700",
          "data/journals/session-session-1.sqlite": "600",
          "data/journals/session-session-1.sqlite-shm": "600",
          "data/journals/session-session-1.sqlite-wal": "600",
          "data/owners": "700",
          "data/owners/session-session-1.<incarnation>.lock": "600",
        });
      } finally {
        process.umask(before);
      }
    },
  );

  it("are tightened when they were laxer", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    chmodSync(file, 0o644);
    chmodSync(dirname(file), 0o755);
    await using journal = await openAt(folder.path);
    expect(statSync(journal.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(journal.file)).mode & 0o777).toBe(0o700);
  });

  it("leave a data folder that was there as it was", async () => {
    using folder = aFolder();
    chmodSync(folder.path, 0o755);
    await using journal = await openAt(folder.path);
    expect(statSync(folder.path).mode & 0o777).toBe(0o755);
    expect(journal.read.head().n).toBe(0);
  });

  it("are one per session", async () => {
    using folder = aFolder();
    await using one = await openAt(folder.path, { session: "one" });
    await using other = await openAt(folder.path, { session: "other" });
    one.write((tx) => tx.record(aDraft(), 1));
    expect(other.read.head().n).toBe(0);
    expect(other.file).not.toBe(one.file);
  });

  it("leave no lock behind after a close", async () => {
    using folder = aFolder();
    const journal = await openAt(folder.path);
    await journal.close(false);
    expect(readdirSync(join(folder.path, "owners"))).toEqual([]);
  });
});

describe("incarnations and lives of a session", () => {
  it("each opening is a newer incarnation with a name of its own", async () => {
    using folder = aFolder();
    await using first = await openAt(folder.path);
    await using second = await openAt(folder.path);
    expect(first.incarnation).toMatch(/^1\.[0-9a-f]{16}$/);
    expect(second.incarnation).toMatch(/^2\.[0-9a-f]{16}$/);
    expect(first.owner).not.toBe(second.owner);
  });

  it("a crash continues a life and a clean end begins another", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    await first.close(false);
    const second = await openAt(folder.path);
    await second.close(true);
    const third = await openAt(folder.path);
    await third.close(true);
    await using fourth = await openAt(folder.path);
    expect([first.life, second.life, third.life, fourth.life]).toEqual([1, 1, 2, 3]);
  });

  it("a clean end ends no life that another process still lives", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    const second = await openAt(folder.path);
    await first.close(true);
    const third = await openAt(folder.path);
    expect(third.life).toBe(1);
    await second.close(true);
    await third.close(true);
    await using fourth = await openAt(folder.path);
    expect(fourth.life).toBe(2);
  });

  it("leaving a scope continues the life", async () => {
    using folder = aFolder();
    {
      await using journal = await openAt(folder.path);
      expect(journal.life).toBe(1);
    }
    await using after = await openAt(folder.path);
    expect(after.life).toBe(1);
  });
});

describe("a journal that cannot be opened", () => {
  it("names the data folder that is a file", async () => {
    using folder = aFolder();
    const inTheWay = join(folder.path, "data");
    writeFileSync(inTheWay, "");
    expect(await failureOf(async () => openAt(inTheWay))).toMatchObject({
      name: "JournalError",
      code: "journal_unwritable",
      file: join(inTheWay, "journals", "session-session-1.sqlite"),
      message: textLike(/is not there.*name another data folder/),
    });
  });

  it("names the journal that is a folder", async () => {
    using folder = aFolder();
    const file = join(folder.path, "journals", "session-session-1.sqlite");
    mkdirSync(file, { recursive: true });
    expect(await failureOf(async () => openAt(folder.path))).toMatchObject({
      code: "journal_unwritable",
      file,
    });
  });

  it("names a file that is no database, and leaves it as it is", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    const garbage = "not a database, ".repeat(400);
    writeFileSync(file, garbage);
    expect(await failureOf(async () => openAt(folder.path))).toMatchObject({
      code: "journal_corrupt",
      file,
      message: textLike(/damaged.*Move it away/),
    });
    expect(readFileSync(file, "utf8")).toBe(garbage);
  });

  it("names a file that was cut short", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    truncateSync(file, 4096);
    expect(await failureOf(async () => openAt(folder.path))).toMatchObject({
      code: "journal_corrupt",
      file,
    });
  });

  it("names both sessions when the file is another session's", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    const moved = file.replace("session-session-1", "session-other");
    copyFileSync(file, moved);
    expect(await failureOf(async () => openAt(folder.path, { session: "other" }))).toMatchObject({
      code: "journal_foreign",
      file: moved,
      message: textLike(/belongs to session "session-1", not to "other"/),
    });
    expect(readdirSync(join(folder.path, "owners"))).toEqual([]);
  });

  it("names a database of another program, and leaves it as it is", async () => {
    using folder = aFolder();
    const file = join(folder.path, "journals", "session-session-1.sqlite");
    mkdirSync(dirname(file));
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE theirs (a)");
    other.close();
    const before = readFileSync(file);
    expect(await failureOf(async () => openAt(folder.path))).toMatchObject({
      code: "journal_foreign",
      message: textLike(/another program/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("names the version of a file that a newer program wrote, and leaves it as it is", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    const newer = new DatabaseSync(file);
    newer.exec("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE");
    newer.close();
    const before = readFileSync(file);
    expect(await failureOf(async () => openAt(folder.path))).toMatchObject({
      code: "journal_newer",
      message: textLike(/version 99.*Run the newer askfabric/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("gives up by name when another program keeps the file to itself", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    using holder = new DatabaseSync(file);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    expect(await failureOf(async () => openAt(folder.path, { busyTimeoutMs: 40 }))).toMatchObject({
      code: "journal_unwritable",
      message: textLike(/stayed locked/),
    });
  });
});

describe("a journal whose pages are damaged while it is open", () => {
  it("fails by name on the change that meets the damage", async () => {
    using folder = aFolder();
    const file = await aClosedJournal(folder.path);
    const size = statSync(file).size;
    const bytes = readFileSync(file);
    writeFileSync(
      file,
      Buffer.concat([bytes.subarray(0, 4096 * 2), Buffer.alloc(size - 4096 * 2, 0xa5)]),
    );
    const failure = await failureOf(async () => {
      await using journal = await openAt(folder.path);
      journal.write((tx) => {
        tx.insertChildAsk(aChildAsk());
        tx.record(aDraft(), 1);
      });
    });
    expect(failure).toMatchObject({ name: "JournalError", code: "journal_corrupt", file });
  });
});
