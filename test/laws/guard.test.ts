import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLink } from "../../src/chain/guard.ts";
import { askOf } from "../support/link-details.ts";
import { runs } from "../support/random-tests.ts";

const guard = { name: "guard", ...createLink({ name: "guard", options: {} }) };

const word = fc.constantFrom(
  "rm",
  "-rf",
  "/",
  "~",
  "cat",
  ".env",
  "a",
  "'",
  '"',
  "\\",
  "$(",
  ")",
  "|",
  ";",
);

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
);

describe("the guard", () => {
  it("never allows, and is never stopped by what it reads", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (command) => {
        expect(["deny", "defer"]).toContain((await askOf(guard, command)).kind);
      }),
      { numRuns: runs(500) },
    );
  });

  it("denies what it denies also behind another command, in a subshell or under a wrapper", async () => {
    const denied = fc.constantFrom("rm -rf /", "cat .env", "git push -f", "mkfs.ext4 /dev/sda");
    const around = fc.constantFrom(
      (command: string) => `cd x && ${command}`,
      (command: string) => `(${command})`,
      (command: string) => `sudo ${command}`,
      (command: string) => `A=1 ${command}`,
      (command: string) => `${command}; true`,
      (command: string) => `echo $(${command})`,
      (command: string) => `# note\n${command}`,
    );
    const outermost = fc.oneof(
      around,
      fc.constantFrom((command: string) => `bash -c '${command}'`),
    );
    await fc.assert(
      fc.asyncProperty(denied, around, outermost, async (command, inner, outer) => {
        expect((await askOf(guard, outer(inner(command)))).kind).toBe("deny");
      }),
    );
  });

  it("denies what is too long to look through, and never gives its thread away to it", async () => {
    for (const piece of [
      "a ",
      "'",
      "$(",
      "rm -rf ",
      "sudo ",
      "|",
      "(",
      "\\",
      "sudo $(x) ",
      "bash '$(' ",
    ]) {
      const command = piece.repeat(20_000);
      expect(["deny", "defer"]).toContain((await askOf(guard, command)).kind);
    }
    expect((await askOf(guard, `sudo ${"sudo x ".repeat(20_000)}`)).kind).toBe("deny");
  });
});
