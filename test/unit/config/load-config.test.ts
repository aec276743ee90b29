import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { explainConfig } from "../../../src/config/explain-config.ts";
import { type LoadedConfig, loadConfig } from "../../../src/config/load-config.ts";
import { MAX_FILE_BYTES } from "../../../src/config/read-bytes.ts";
import { distrustProject, trustProject } from "../../../src/config/trust.ts";
import { watchConfig } from "../../../src/config/watch-config.ts";

let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "askfabric-config-"));
  await mkdir(join(root, "home/.config/askfabric"), { recursive: true });
  await mkdir(join(root, "work/.askfabric"), { recursive: true });
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const userFile = (): string => join(root, "home/.config/askfabric/config.json");
const projectFile = (): string => join(root, "work/.askfabric/config.json");
const request = (env: Record<string, string> = {}) => ({
  env,
  home: join(root, "home"),
  cwd: join(root, "work"),
});

describe("files of a configuration", () => {
  test("a program without any file runs on the defaults", async () => {
    const loaded = await loadConfig(request());
    expect(loaded.ok).toBe(true);
    expect([loaded.user.state, loaded.project.state]).toEqual(["absent", "absent"]);
  });

  test("the XDG folder is used when it is absolute", async () => {
    await mkdir(join(root, "xdg/askfabric"), { recursive: true });
    await writeFile(join(root, "xdg/askfabric/config.json"), '{"fleet":"xdg"}');
    await writeFile(userFile(), '{"fleet":"home"}');
    const absolute = await loadConfig(request({ XDG_CONFIG_HOME: join(root, "xdg") }));
    const relative = await loadConfig(request({ XDG_CONFIG_HOME: "xdg" }));
    expect([absolute.options.fleet, relative.options.fleet]).toEqual(["xdg", "home"]);
  });

  test("a file that is named must be there", async () => {
    const loaded = await loadConfig({ ...request(), config: "missing.json" });
    expect(loaded.ok).toBe(false);
    expect(loaded.issues[0]?.message).toBe("the file is not there; write it or name another");
    expect(loaded.places.user).toBe(join(root, "work/missing.json"));
    const named = await loadConfig(request({ ASKFABRIC_CONFIG: "/nowhere/x.json" }));
    expect(named.user.state).toBe("rejected");
  });

  test("a file that cannot be read counts as invalid", async () => {
    await mkdir(userFile());
    const folder = await loadConfig(request());
    expect(folder.scopes.invalid).toEqual(["global", "agent"]);
    await rm(userFile(), { recursive: true });
    await writeFile(userFile(), Buffer.from([0x7b, 0xff, 0x7d]));
    const binary = await loadConfig(request());
    expect(binary.issues[0]?.message).toBe("the file is not UTF-8 text");
  });
});

describe("a file that is none", () => {
  test("a pipe in a project is not waited for, neither when it is read nor when it is trusted", async () => {
    execFileSync("mkfifo", [projectFile()]);
    const { project, places } = await loadConfig(request());
    expect(project.state).toBe("untrusted");
    await expect(trustProject(places)).resolves.toEqual({
      ok: false,
      message: expect.stringContaining("it is no plain file") as string,
    });
  });

  test("a device or a huge file that is named is rejected by what it is", async () => {
    const device = await loadConfig({ ...request(), config: "/dev/zero" });
    await writeFile(userFile(), Buffer.alloc(MAX_FILE_BYTES + 1, " "));
    const huge = await loadConfig(request());
    expect([device, huge].map(({ issues }) => issues[0]?.message)).toEqual([
      "the file cannot be read (it is no plain file)",
      `the file cannot be read (it is larger than ${String(MAX_FILE_BYTES)} bytes)`,
    ]);
  });
});

describe("trust in a project", () => {
  test("a project file counts only in the state in which it was trusted", async () => {
    await writeFile(projectFile(), '{"promptMaxRows":5}');
    expect((await loadConfig(request())).project.state).toBe("untrusted");
    const { places } = await loadConfig(request());
    await expect(trustProject(places)).resolves.toMatchObject({ ok: true });
    const trusted = await loadConfig(request());
    expect([trusted.project.state, trusted.options.promptMaxRows]).toEqual(["read", 5]);
    await writeFile(projectFile(), '{"promptMaxRows":6}');
    const changed = await loadConfig(request());
    expect([changed.project.state, changed.options.promptMaxRows]).toEqual(["changed", 24]);
    await trustProject(places);
    await distrustProject(places);
    expect((await loadConfig(request())).project.state).toBe("untrusted");
  });

  test("pins that have no place to be written are said, with the place", async () => {
    await writeFile(projectFile(), "{}");
    const { places } = await loadConfig(request());
    const trust = "/proc/askfabric/sub/trust.json";
    await expect(trustProject({ ...places, trust })).resolves.toEqual({
      ok: false,
      message: expect.stringContaining(trust) as string,
    });
  });

  test("the pins are readable to their owner alone", async () => {
    await writeFile(projectFile(), "{}");
    const { places } = await loadConfig(request());
    await trustProject(places);
    expect((await stat(places.trust)).mode & 0o777).toBe(0o600);
  });

  test("a link to a trusted file elsewhere is the file it leads to", async () => {
    await writeFile(join(root, "shared.json"), '{"promptMaxRows":5}');
    await symlink(join(root, "shared.json"), projectFile());
    const { places } = await loadConfig(request());
    await trustProject(places);
    expect((await loadConfig(request())).options.promptMaxRows).toBe(5);
  });

  test("damaged pins trust nothing and are left alone", async () => {
    await writeFile(projectFile(), "{}");
    const { places } = await loadConfig(request());
    await writeFile(places.trust, "{");
    const loaded = await loadConfig(request());
    expect(loaded.project.state).toBe("untrusted");
    expect(loaded.trustProblem).toContain("damaged");
    await expect(trustProject(places)).resolves.toMatchObject({ ok: false });
  });

  test("a project without a file cannot be trusted", async () => {
    const { places } = await loadConfig(request());
    await expect(trustProject(places)).resolves.toEqual({
      ok: false,
      message: `${projectFile()} is not there; write it first`,
    });
  });
});

describe("watched configuration", () => {
  async function watched(change: () => Promise<void>): Promise<readonly LoadedConfig[]> {
    const seen: LoadedConfig[] = [];
    const stop = new AbortController();
    const watching = watchConfig({
      request: request(),
      loaded: await loadConfig(request()),
      onChange: (loaded) => seen.push(loaded),
      signal: stop.signal,
      intervalMs: 10,
    });
    await change();
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), { timeout: 5_000 });
    stop.abort();
    await watching;
    return seen;
  }

  test("a file that appears is read", async () => {
    const seen = await watched(async () => writeFile(userFile(), '{"fleet":"blue"}'));
    expect(seen.at(-1)?.options.fleet).toBe("blue");
  });

  test("a file that is replaced by another is read, with its issues", async () => {
    await writeFile(userFile(), '{"fleet":"blue"}');
    const seen = await watched(async () => {
      await writeFile(`${userFile()}.new`, '{"fleet":1}');
      await rename(`${userFile()}.new`, userFile());
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.issues).toHaveLength(1);
  });

  test("a project that becomes trusted is applied", async () => {
    await writeFile(projectFile(), '{"promptMaxRows":5}');
    const { places } = await loadConfig(request());
    const seen = await watched(async () => {
      await trustProject(places);
    });
    expect(seen.at(-1)?.options.promptMaxRows).toBe(5);
  });
});

describe("explained configuration", () => {
  test("a person sees files, options with their source, and problems with the way out", async () => {
    await writeFile(userFile(), '{\n"promptMaxRows": 0}');
    await writeFile(projectFile(), "{}");
    const findings = explainConfig(await loadConfig(request({ ASKFABRIC_FLEET: "blue" })));
    expect(findings[0]).toEqual({
      about: "user file",
      status: "fail",
      text: `${userFile()} is rejected and says nothing`,
      todo: "mend what is listed below",
    });
    expect(findings[1]).toMatchObject({ about: "project file", status: "warn" });
    expect(findings).toContainEqual({
      about: "fleet",
      status: "ok",
      text: 'fleet is "blue" (env)',
    });
    expect(findings.at(-1)).toEqual({
      about: "promptMaxRows",
      status: "fail",
      text: `${userFile()}:2:18: promptMaxRows is 0; it must be a whole number of rows from 1 to 10,000`,
      todo: "correct it; until then its source does not count",
    });
    const unwell = findings.filter((finding) => finding.status !== "ok");
    expect(unwell.map((finding) => typeof finding.todo)).toEqual(["string", "string", "string"]);
  });

  test("what a link is given is not shown", async () => {
    await writeFile(
      userFile(),
      '{"links":{"judge":{"http":"https://op:hunter2@judge.invalid","options":{"key":"hunter2"}}}}',
    );
    expect(JSON.stringify(explainConfig(await loadConfig(request())))).not.toContain("hunter2");
  });
});
