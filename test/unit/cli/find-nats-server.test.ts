import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findNatsServer } from "../../../src/cli/server/find-nats-server.ts";
import type { FindOptions } from "../../../src/cli/server/nats-program.ts";
import type { CommandResult, RunCommand } from "../../../src/cli/server/run-command.ts";
import { tempFolder } from "../../support/temp-folder.ts";

type Answer = Partial<CommandResult> & { readonly effect?: (cwd: string, args: string[]) => void };

const MISSING: Answer = { code: null, stderr: "not found" };

/** A machine whose commands answer by the first start of their command line; all others are not there. */
function machine(answers: Readonly<Record<string, Answer>>): {
  readonly run: RunCommand;
  readonly ran: readonly string[];
} {
  const ran: string[] = [];
  const run: RunCommand = async (command, args, options) => {
    const line = [command, ...args].join(" ");
    ran.push(line);
    const key = Object.keys(answers).find((start) => line.startsWith(start)) ?? "";
    const { effect, ...result } = answers[key] ?? MISSING;
    effect?.(options?.cwd ?? "", [...args]);
    return { code: 0, stdout: "", stderr: "", ...result };
  };
  return { run, ran };
}

const prints = (version: string): Answer => ({ stdout: `nats-server: v${version}\n` });

function binary(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "nats-server");
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

const download: Answer = {
  effect: (cwd) => {
    writeFileSync(join(cwd, "nats-server_2.10.27-1_amd64.deb"), "");
  },
};
const unpack: Answer = {
  effect: (_cwd, args) => {
    binary(join(args[2] ?? "", "usr", "sbin"));
  },
};

interface Room extends Disposable {
  readonly root: string;
  readonly notes: readonly string[];
  readonly options: (run: RunCommand, more?: Partial<FindOptions>) => FindOptions;
}

function room(lists: readonly string[] = ["deb_Packages.lz4"]): Room {
  const folder = tempFolder();
  const root = folder.path;
  mkdirSync(join(root, "lists"));
  for (const name of lists) writeFileSync(join(root, "lists", name), "");
  const notes: string[] = [];
  return {
    root,
    notes,
    options: (run, more) => ({
      named: null,
      path: `${join(root, "a")}:${join(root, "b")}`,
      cache: join(root, "cache"),
      isRoot: true,
      run,
      note: (text) => notes.push(text),
      aptLists: join(root, "lists"),
      systemFolder: join(root, "sbin"),
      ...more,
    }),
    [Symbol.dispose]: () => {
      folder[Symbol.dispose]();
    },
  };
}

const refused = async (options: FindOptions): Promise<unknown> =>
  findNatsServer(options).then(
    () => null,
    (error: unknown) => error,
  );

describe("the search for nats-server", () => {
  it("takes the first usable one of the PATH", async () => {
    using place = room();
    const broken = binary(join(place.root, "a"));
    const good = binary(join(place.root, "b"));
    const { run } = machine({ [broken]: { code: 1 }, [good]: prints("2.9.10") });
    expect(await findNatsServer(place.options(run))).toMatchObject({
      kind: "binary",
      command: good,
      source: "path",
      version: { text: "2.9.10" },
    });
  });

  it("takes the system's folder when the PATH has none", async () => {
    using place = room();
    const file = binary(join(place.root, "sbin"));
    const { run } = machine({ [file]: prints("2.9.10") });
    expect(await findNatsServer(place.options(run))).toMatchObject({ command: file });
  });

  it("passes over a version that is too old", async () => {
    using place = room();
    const old = binary(join(place.root, "a"));
    const good = binary(join(place.root, "b"));
    const { run } = machine({ [old]: prints("2.8.4"), [good]: prints("2.10.1") });
    expect(await findNatsServer(place.options(run))).toMatchObject({ command: good });
  });

  it("takes the newest of the cache, by number, and no half-unpacked one", async () => {
    using place = room();
    const cache = join(place.root, "cache", "nats-server");
    const older = binary(join(cache, "x_2.9.1", "usr", "sbin"));
    const newer = binary(join(cache, "x_2.10.1", "usr", "sbin"));
    const draft = binary(join(cache, ".fetch-1", "usr", "sbin"));
    const { run } = machine({
      [older]: prints("2.9.1"),
      [newer]: prints("2.10.1"),
      [draft]: prints("2.99.0"),
    });
    expect(await findNatsServer(place.options(run))).toMatchObject({
      command: newer,
      source: "cache",
    });
  });

  it("fetches the package into the cache and installs nothing", async () => {
    using place = room();
    const { run, ran } = machine({
      "apt-get --version": {},
      "dpkg-deb --version": {},
      "apt-get download": download,
      "dpkg-deb -x": unpack,
      [place.root]: prints("2.10.27"),
    });
    const found = await findNatsServer(place.options(run));
    const folder = join(place.root, "cache", "nats-server");
    expect(found).toMatchObject({
      command: join(folder, "nats-server_2.10.27-1_amd64", "usr", "sbin", "nats-server"),
      source: "package",
    });
    expect(readdirSync(folder)).toEqual(["nats-server_2.10.27-1_amd64"]);
    expect(ran.filter((line) => line.startsWith("apt-get"))).toEqual([
      "apt-get --version",
      "apt-get download nats-server",
    ]);
    expect(place.notes.join()).toContain("apt-get");
  });

  it("updates the package lists first when they are empty and it may", async () => {
    using place = room(["lock", "partial"]);
    const { run, ran } = machine({
      "apt-get download": download,
      "apt-get": {},
      "dpkg-deb -x": unpack,
      "dpkg-deb": {},
      [place.root]: prints("2.10.27"),
    });
    await findNatsServer(place.options(run));
    expect(ran.slice(0, 4)).toEqual([
      "apt-get --version",
      "dpkg-deb --version",
      "apt-get update",
      "apt-get download nats-server",
    ]);
  });

  it("never updates package lists as another user than root", async () => {
    using place = room([]);
    const { run, ran } = machine({ "apt-get": {}, "dpkg-deb": {} });
    expect(await refused(place.options(run, { isRoot: false }))).toMatchObject({
      code: "server_not_found",
      message: expect.stringContaining("only root may update them") as string,
    });
    expect(ran).not.toContain("apt-get update");
  });

  it("several fetch at once and all get the same whole binary", async () => {
    using place = room();
    const { run } = machine({
      "apt-get --version": {},
      "dpkg-deb --version": {},
      "apt-get download": download,
      "dpkg-deb -x": unpack,
      [place.root]: prints("2.10.27"),
    });
    const found = await Promise.all(
      Array.from({ length: 5 }, async () => findNatsServer(place.options(run))),
    );
    expect(new Set(found.map((one) => one.command)).size).toBe(1);
    const folder = join(place.root, "cache", "nats-server");
    expect(readdirSync(folder)).toEqual(["nats-server_2.10.27-1_amd64"]);
  });

  it("goes on to brew when apt fails", async () => {
    using place = room();
    const file = binary(join(place.root, "brew", "bin"));
    const { run } = machine({
      "apt-get --version": {},
      "dpkg-deb --version": {},
      "apt-get download": { code: 100, stderr: "E: Unable to locate package nats-server" },
      "brew --version": {},
      "brew install": {},
      "brew --prefix": { stdout: `${join(place.root, "brew")}\n` },
      [file]: prints("2.12.0"),
    });
    expect(await findNatsServer(place.options(run))).toMatchObject({
      command: file,
      source: "brew",
    });
  });

  it.each(["docker", "podman"])(
    "goes on to a container of %s when there is no brew",
    async (name) => {
      using place = room();
      const { run } = machine({ [`${name} info`]: {} });
      expect(await findNatsServer(place.options(run))).toMatchObject({
        kind: "container",
        command: name,
        image: expect.stringContaining("nats:2.10") as string,
      });
    },
  );

  it("says in one sentence what it tried and what to do when every way fails", async () => {
    using place = room();
    const { run } = machine({
      "apt-get --version": {},
      "dpkg-deb --version": {},
      "apt-get download": { code: 100, stderr: "warning\nE: Unable to locate package" },
    });
    const error = await refused(place.options(run));
    expect(error).toMatchObject({ name: "ServerError", code: "server_not_found" });
    const text = String(error);
    expect(text).toContain("E: Unable to locate package");
    expect(text).toContain("brew: not there");
    expect(text).toContain("docker, podman: not there");
    expect(text).toContain("ASKFABRIC_NATS_SERVER");
    expect(text).not.toContain("\n");
    expect(readdirSync(join(place.root, "cache", "nats-server"))).toEqual([]);
  });

  it("takes a named binary and looks nowhere else", async () => {
    using place = room();
    binary(join(place.root, "a"));
    const { run, ran } = machine({ "/opt/nats-server": prints("2.11.0") });
    const options = place.options(run, { named: "/opt/nats-server" });
    expect(await findNatsServer(options)).toMatchObject({
      command: "/opt/nats-server",
      source: "named",
    });
    expect(ran).toEqual(["/opt/nats-server --version"]);
  });

  it.each([
    ["is none", { stdout: "true 1.0" }, /is not a nats-server/],
    ["fails", { code: 1 }, /is not a nats-server/],
    ["is too old", prints("2.8.4"), /2\.8\.4, and 2\.9\.0 or newer/],
  ])("refuses a named binary that %s", async (_name, answer, text) => {
    using place = room();
    const { run } = machine({ "/opt/x": answer });
    const error = await refused(place.options(run, { named: "/opt/x" }));
    expect(error).toMatchObject({ code: "server_unusable" });
    expect(String(error)).toMatch(text);
    expect(String(error)).toContain("/opt/x");
  });
});
