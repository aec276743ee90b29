import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../src/journal/make-folder.ts";
import { sessionFileName } from "../../../src/journal/session-files.ts";
import { aFolder, failureOf, openAt } from "../../support/journal-parts.ts";

describe("the folder of a session's data", () => {
  it("is made with those above it, and the first one made is told", () => {
    using folder = aFolder();
    const wanted = join(folder.path, "a", "b", "c");
    expect([makeFolder(wanted), makeFolder(wanted)]).toEqual([join(folder.path, "a"), undefined]);
    expect(statSync(wanted).mode & 0o777).toBe(0o700);
  });

  it.each(["/proc/askfabric", "/proc/askfabric/sub", "/dev/null", "/dev/null/askfabric"])(
    "cannot be %s, which ends in an error of the journal",
    async (path) => {
      expect(await failureOf(async () => openAt(path))).toMatchObject({
        name: "JournalError",
        message: expect.stringContaining(path) as string,
      });
    },
  );
});

describe("file names of sessions", () => {
  it.each([
    ["parent-1", "session-parent-1"],
    ["Parent_1", "session-=50arent_1"],
    ["", "session-"],
    ["../etc/passwd", "session-=2e=2e=2fetc=2fpasswd"],
    ["con", "session-con"],
    ["a=2f", "session-a=3d2f"],
    ["ü", "session-=c3=bc"],
    ["a\u0000b", "session-a=00b"],
  ])("%j becomes %s", (session, name) => {
    expect(sessionFileName(session)).toBe(name);
  });

  it("a long id becomes its digest, which no short id spells", () => {
    const name = sessionFileName("x".repeat(121));
    expect(name).toMatch(/^session-=h[0-9a-f]{64}$/);
    expect(sessionFileName(name.slice("session-".length))).not.toBe(name);
    expect(sessionFileName("x".repeat(120))).toBe(`session-${"x".repeat(120)}`);
  });

  it("an id with a lone surrogate is refused", async () => {
    using folder = aFolder();
    const failure = await failureOf(async () => openAt(folder.path, { session: "a\ud800" }));
    expect(failure).toBeInstanceOf(RangeError);
  });

  it.each(["", "a\u0000b", "😀", "A", "x".repeat(300), "../up"])(
    "session %j finds its own journal again",
    async (session) => {
      using folder = aFolder();
      const first = await openAt(folder.path, { session });
      await first.close(false);
      await using second = await openAt(folder.path, { session });
      expect(second.session).toBe(session);
      expect(second.incarnation).toMatch(/^2\./);
    },
  );
});
