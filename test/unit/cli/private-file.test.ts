import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { readPrivateFile } from "../../../src/cli/private-file.ts";

const folder = mkdtempSync(join(tmpdir(), "private-file-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write("skipped: only root can make what systemd hands to a service\n");

function aFile(content: string, mode: number): string {
  const path = join(folder, `f${mode.toString(8)}-${content.length}`);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe("the reader of secrets", () => {
  it.each([0o600, 0o400])("takes a file of mode %o without the blank around the secret", (mode) => {
    expect(readPrivateFile(aFile(" s3cret\n", mode), "token file")).toBe("s3cret");
  });

  it.each([
    [0o640, "is open to other users (mode 640); run chmod 600"],
    [0o604, "is open to other users (mode 604); run chmod 600"],
    [0o620, "is open to other users (mode 620); run chmod 600"],
  ])("refuses a file of mode %o, says what to run and keeps the secret to itself", (mode, text) => {
    const path = aFile("s3cret", mode);
    expect(() => readPrivateFile(path, "token file")).toThrow(`token file ${path} ${text} ${path}`);
    expect(() => readPrivateFile(path, "token file")).not.toThrow("s3cret");
  });

  it.runIf(isRoot)(
    "takes what root put into the credentials folder of this service, and nothing that all can read",
    () => {
      vi.stubEnv("CREDENTIALS_DIRECTORY", folder);
      expect(readPrivateFile(aFile("s3cret", 0o440), "token file")).toBe("s3cret");
      expect(() => readPrivateFile(aFile("s3cret", 0o444), "token file")).toThrow("mode 444");
      vi.stubEnv("CREDENTIALS_DIRECTORY", tmpdir());
      expect(() => readPrivateFile(aFile("s3cret", 0o440), "token file")).toThrow("mode 440");
    },
  );

  it("refuses an empty file", () => {
    expect(() => readPrivateFile(aFile("\n", 0o600), "token file")).toThrow("is empty");
  });

  it("refuses a file too large to be a secret", () => {
    expect(() => readPrivateFile(aFile("x".repeat(70_000), 0o600), "token file")).toThrow("larger");
  });

  it("refuses a pipe at once, though nobody writes into it", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    expect(() => readPrivateFile(pipe, "token file")).toThrow("is no file");
  });

  it("refuses a folder", () => {
    expect(() => readPrivateFile(folder, "token file")).toThrow("is no file");
  });

  it("names a file that is not there and what to do", () => {
    const path = join(folder, "gone");
    expect(() => readPrivateFile(path, "token file")).toThrow(
      `token file ${path} cannot be opened (ENOENT: no such file or directory, open '${path}'); name a file that this user can read`,
    );
  });
});
