import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultDataFolder, joinFileOf, readJoin, writeJoin } from "../../../src/cli/join.ts";
import { writePrivateFile } from "../../../src/cli/private-write.ts";
import { makeServerFolders, secretsOf } from "../../../src/cli/server/data-folder.ts";
import { takeDataLock } from "../../../src/cli/server/data-lock.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const JOIN = { url: "nats://127.0.0.1:4222", token: "secret-token", fleet: "default" };

describe("the join file", () => {
  it("is read as it was written, and this user alone can read it", () => {
    using folder = tempFolder();
    const file = joinFileOf(folder.path);
    writeJoin(file, JOIN);
    expect(readJoin(file)).toEqual(JOIN);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("holds nothing but its three fields", () => {
    using folder = tempFolder();
    const file = joinFileOf(folder.path);
    writeJoin(file, { ...JOIN, more: "x" } as typeof JOIN);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JOIN);
  });

  it("is null when it is not there", () => {
    using folder = tempFolder();
    expect(readJoin(joinFileOf(folder.path))).toBeNull();
  });

  it("is not taken for absent when it cannot be looked at", () => {
    using folder = tempFolder();
    const file = joinFileOf(folder.path);
    symlinkSync(file, file);
    expect(() => readJoin(file)).toThrow(file);
  });

  it("keeps fields a later version may add out of what is read", () => {
    using folder = tempFolder();
    const file = joinFileOf(folder.path);
    writePrivateFile(file, JSON.stringify({ ...JOIN, more: 1 }));
    expect(readJoin(file)).toEqual(JOIN);
  });

  it.each([
    "secret-token",
    "null",
    "[]",
    '{"url":"nats://h","token":"secret-token"}',
    '{"url":"nats://h","token":"","fleet":"secret-token"}',
    '{"url":1,"token":"secret-token","fleet":"f"}',
  ])("is refused when it holds %j, naming the file and not the token", (text) => {
    using folder = tempFolder();
    const file = joinFileOf(folder.path);
    writePrivateFile(file, text);
    expect(() => readJoin(file)).toThrow(file);
    expect(() => readJoin(file)).not.toThrow(/secret-token/);
  });

  it.each([0o644, 0o640, 0o660, 0o604])("is refused with mode %o, naming the way out", (mode) => {
    using folder = tempFolder();
    const file = joinFileOf(folder.path);
    writeJoin(file, JOIN);
    chmodSync(file, mode);
    expect(() => readJoin(file)).toThrow(/open to other users .*chmod 600/);
  });
});

describe("the default data folder", () => {
  it.each([
    [{}, "/home/me/.local/state/askfabric"],
    [{ XDG_STATE_HOME: "/var/state" }, "/var/state/askfabric"],
    [{ XDG_STATE_HOME: "" }, "/home/me/.local/state/askfabric"],
    [{ XDG_STATE_HOME: "relative" }, "/home/me/.local/state/askfabric"],
  ])("with %j is %s", (env, expected) => {
    expect(defaultDataFolder(env, "/home/me")).toBe(expected);
  });
});

describe("a private file", () => {
  it("replaces what was there, whatever its mode, and leaves no draft", () => {
    using folder = tempFolder();
    const file = join(folder.path, "f");
    writeFileSync(file, "before", { mode: 0o644 });
    writePrivateFile(file, "after");
    expect(readFileSync(file, "utf8")).toBe("after");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(["f"]);
  });

  it("leaves no draft behind when it cannot be put in place", () => {
    using folder = tempFolder();
    const file = join(folder.path, "f");
    mkdirSync(join(file, "in-the-way"), { recursive: true });
    expect(() => {
      writePrivateFile(file, "x");
    }).toThrow(/EISDIR|EEXIST|ENOTEMPTY|directory/);
    expect(readdirSync(folder.path)).toEqual(["f"]);
  });
});

describe("the folders of a managed server", () => {
  it("are made for this user alone, also several levels deep", () => {
    using folder = tempFolder();
    const data = join(folder.path, "a", "b");
    const folders = makeServerFolders(data);
    expect(folders).toEqual({ data, server: join(data, "server") });
    const modes = [data, folders.server].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700]);
  });

  it("are used again when they are there", () => {
    using folder = tempFolder();
    expect(makeServerFolders(folder.path)).toEqual(makeServerFolders(folder.path));
  });

  it.each(["/proc/askfabric", "/dev/null/askfabric"])(
    "cannot be %s, which is said with the way out",
    (data) => {
      expect(() => makeServerFolders(data)).toThrow(
        expect.objectContaining({
          code: "server_data_unusable",
          message: expect.stringMatching(`${data}.*--data`) as string,
        }) as Error,
      );
    },
  );

  it("keep secrets of 32 random bytes each, in files of this user alone", () => {
    using one = tempFolder();
    using other = tempFolder();
    const secrets = secretsOf(one.path);
    const values = Object.values({ ...secrets, ...secretsOf(other.path) }).concat(
      Object.values({ ...secrets }),
    );
    expect(values.every((value) => /^[A-Za-z0-9_-]{43}$/.test(value))).toBe(true);
    expect(new Set(values).size).toBe(6);
    expect(secretsOf(one.path)).toEqual(secrets);
    const modes = readdirSync(one.path).map((name) => statSync(join(one.path, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it("have one holder at a time", () => {
    using folder = tempFolder();
    const folders = makeServerFolders(folder.path);
    const lock = takeDataLock(folders);
    expect(() => takeDataLock(folders)).toThrow(
      expect.objectContaining({
        code: "server_data_in_use",
        message: expect.stringContaining(folder.path) as string,
      }) as Error,
    );
    lock.release();
    lock.release();
    const next = takeDataLock(folders);
    next.release();
  });
});
