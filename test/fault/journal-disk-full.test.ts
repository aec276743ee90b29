import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFolder } from "../support/journal-parts.ts";
import { startJournalOnDisk, whyNoDisk } from "../support/journal-programs.ts";

const missing = whyNoDisk();
const because = missing === null ? "" : ` (not run: no disk can be mounted here, ${missing})`;

describe.skipIf(missing !== null)(`a journal on a small disk${because}`, () => {
  it("names a full disk, keeps what stood, and goes on when there is room again", async () => {
    using folder = aFolder();
    await using program = startJournalOnDisk("fill-disk", join(folder.path, "disk"), "size=4m");
    const written = Number(await program.told("written"));
    expect(written).toBeGreaterThan(100);
    expect(program.lines.at(-1)).toEqual({
      failures: ["journal_full", "journal_full", "journal_full"],
      written,
      head: written,
      after: written + 20,
      faults: [],
    });
    expect(await program.ended()).toBe(0);
  });

  it("names a disk that is full before there is a journal", async () => {
    using folder = aFolder();
    await using program = startJournalOnDisk("open", join(folder.path, "disk"), "size=16k");
    expect(await program.told("code")).toBe("journal_full");
  });

  it("names a disk that is read-only", async () => {
    using folder = aFolder();
    await using program = startJournalOnDisk("open", join(folder.path, "disk"), "size=1m,ro");
    expect(await program.told("code")).toBe("journal_unwritable");
  });
});
