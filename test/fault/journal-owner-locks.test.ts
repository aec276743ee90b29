import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import { aFolder, openAt } from "../support/journal-parts.ts";
import { startJournal } from "../support/journal-programs.ts";
import { until } from "../support/until.ts";

function orphanIds(journal: Journal): readonly string[] {
  return journal.read.orphans().map((ask) => ask.requestId);
}

function lockOf(folder: string, owner: string): string {
  return join(folder, "owners", `session-session-1.${owner}.lock`);
}

describe("the lock of a journal's process", () => {
  it("is held while the process lives or is stopped, and lifted by its death", async () => {
    using folder = aFolder();
    await using dying = startJournal("hold", folder.path);
    await using living = startJournal("hold", folder.path);
    const owner = await dying.told("holding");
    await living.told("holding");
    await using journal = await openAt(folder.path);
    expect(orphanIds(journal)).toEqual([]);
    dying.process.kill("SIGSTOP");
    expect(orphanIds(journal)).toEqual([]);
    expect(journal.read.ownerLives(String(owner))).toBe(true);
    await dying.kill();
    expect(orphanIds(journal)).toEqual([owner]);
    expect(journal.read.ownerLives(String(owner))).toBe(false);
    expect(journal.read.ownerLives(journal.owner)).toBe(true);
  });

  it("is lifted by the death of its process though a process it started lives on", async () => {
    using folder = aFolder();
    await using dying = startJournal("hold-with-child", folder.path);
    const child = Number(await dying.told("child"));
    const owner = await dying.told("holding");
    await dying.kill();
    try {
      await using journal = await openAt(folder.path);
      expect(orphanIds(journal)).toEqual([owner]);
      expect(process.kill(child, 0)).toBe(true);
    } finally {
      process.kill(child, "SIGKILL");
    }
  });

  it("is lifted by an orderly leave", async () => {
    using folder = aFolder();
    await using leaving = startJournal("hold", folder.path);
    const owner = await leaving.told("holding");
    await using journal = await openAt(folder.path);
    leaving.process.stdin?.end();
    expect(await leaving.ended()).toBe(0);
    expect(orphanIds(journal)).toEqual([owner]);
    expect(existsSync(lockOf(folder.path, String(owner)))).toBe(false);
  });

  it("is swept by the next opening when its process is dead, never when it lives", async () => {
    using folder = aFolder();
    await using dying = startJournal("hold", folder.path);
    await using living = startJournal("hold", folder.path);
    const dead = String(await dying.told("holding"));
    const alive = String(await living.told("holding"));
    await dying.kill();
    expect(existsSync(lockOf(folder.path, dead))).toBe(true);
    await using journal = await openAt(folder.path);
    expect(existsSync(lockOf(folder.path, dead))).toBe(false);
    expect(existsSync(lockOf(folder.path, alive))).toBe(true);
    expect(orphanIds(journal)).toEqual([dead]);
  });

  it("never looks free while processes come, go and sweep at once", async () => {
    using folder = aFolder();
    await using one = startJournal("come-and-go", folder.path);
    await using two = startJournal("come-and-go", folder.path);
    await using three = startJournal("come-and-go", folder.path);
    const programs = [one, two, three];
    await using journal = await openAt(folder.path);
    let seen = 0;
    await until(
      "each process came and went 30 times",
      () => {
        seen += journal.read.orphans().length;
        return programs.every((program) => program.lines.length >= 30);
      },
      60_000,
    );
    const theySaw = programs.flatMap((program) => program.lines.map((line) => line["orphans"]));
    expect(seen).toBe(0);
    expect(theySaw.filter((orphans) => orphans !== 0)).toEqual([]);
    expect(programs.map((program) => program.errors())).toEqual(["", "", ""]);
  }, 90_000);

  it("counts for the life: a clean end while another process lives ends nothing", async () => {
    using folder = aFolder();
    await using living = startJournal("hold", folder.path);
    await living.told("holding");
    const first = await openAt(folder.path);
    await first.close(true);
    const second = await openAt(folder.path);
    expect(second.life).toBe(1);
    await living.kill();
    await second.close(true);
    await using third = await openAt(folder.path);
    expect(third.life).toBe(2);
  });
});

describe("processes that open one new journal at the same moment", () => {
  it("all get in, each as an incarnation of its own", async () => {
    using folder = aFolder();
    await using one = startJournal("hold", folder.path);
    await using two = startJournal("hold", folder.path);
    await using three = startJournal("hold", folder.path);
    await using four = startJournal("hold", folder.path);
    const owners = await Promise.all(
      [one, two, three, four].map(async (program) => program.told("holding")),
    );
    const epochs = owners.map((owner) => Number(String(owner).split(".")[0]));
    expect(new Set(epochs)).toEqual(new Set([1, 2, 3, 4]));
    expect(readdirSync(join(folder.path, "owners"))).toHaveLength(4);
  });
});

describe("a process that stands still inside a transaction", () => {
  it("makes others fail by name, and its death frees them and undoes it", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path, { busyTimeoutMs: 50 });
    await using stalled = startJournal("stall", folder.path);
    await stalled.told("stalled");
    expect(() => journal.write((tx) => tx.insertTombstone("perm-1", "child-1", 1))).toThrow(
      /stayed locked by another process/,
    );
    expect(journal.read.hasTombstone("perm-1", "child-1")).toBe(false);
    await stalled.kill();
    journal.write((tx) => tx.insertTombstone("perm-1", "child-1", 1));
    expect(journal.read.hasTombstone("perm-1", "child-1")).toBe(true);
    expect(journal.read.childAsk("perm-stalled")).toBeNull();
  });
});
