import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { SILENT_LOG } from "../../../src/ask/defaults.ts";
import type { LinkQuery, Log } from "../../../src/ask/ports.ts";
import { LinkVacantError } from "../../../src/chain/link-failure.ts";
import { type ModuleLink, moduleLink } from "../../../src/chain/module-link.ts";
import { askOf, someDetails } from "../../support/link-details.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const JUDGE = new URL("../../support/judge-link.ts", import.meta.url).href;

const open: ModuleLink[] = [];
afterEach(async () => {
  for (const link of open.splice(0)) await link.close();
});

function aLink(of: Partial<Parameters<typeof moduleLink>[0]> = {}): ModuleLink {
  const link = moduleLink({
    name: "judge",
    file: JUDGE,
    options: {},
    env: { PATH: "/bin" },
    monotonic: () => performance.now(),
    log: SILENT_LOG,
    ...of,
  });
  open.push(link);
  return link;
}

describe("a link that is a module", () => {
  test("judges, many asks at a time", async () => {
    const link = aLink();
    await expect(link.load()).resolves.toBeNull();
    await expect(
      Promise.all([askOf(link, "deny one"), askOf(link, "allow"), askOf(link, "defer")]),
    ).resolves.toEqual([
      { kind: "deny", reason: "judge says one" },
      { kind: "allow" },
      { kind: "defer" },
    ]);
  });

  test("asks the rules of the node and writes to its log", async () => {
    const logged: unknown[] = [];
    const log: Log = { ...SILENT_LOG, info: (fields, text) => logged.push([fields, text]) };
    const query: LinkQuery = {
      checkPermission: async (surface, value) => ({
        state: "allow",
        pattern: `${surface} ${value}`,
        reason: null,
      }),
    };
    const signal = AbortSignal.timeout(5_000);
    await expect(
      aLink().judge(someDetails("rules git status"), query, log, signal),
    ).resolves.toEqual({ kind: "deny", reason: "the rules say allow" });
    expect(logged).toEqual([[{ about: "git" }, "asks the rules"]]);
  });

  test("sees the environment it is given alone", async () => {
    await expect(askOf(aLink(), "env")).resolves.toEqual({ kind: "deny", reason: "PATH" });
  });

  test("fails when it throws, and when it gives no verdict", async () => {
    const link = aLink();
    await expect(askOf(link, "throw")).rejects.toThrow("scripted");
    await expect(askOf(link, "odd")).resolves.toBeNull();
    await expect(askOf(link, "allow")).resolves.toEqual({ kind: "allow" });
  });

  test("is told when the ask is taken back, and what it says then is not heard", async () => {
    const link = aLink();
    await link.load();
    await expect(askOf(link, "wait", 50)).rejects.toThrow("taken back");
    await expect(askOf(link, "allow")).resolves.toEqual({ kind: "allow" });
  });

  test.each(["exit", "crash"])(
    "lives again for the next ask after its module did: %s",
    async (word) => {
      const link = aLink();
      await expect(askOf(link, word)).rejects.toThrow("its module");
      await expect(askOf(link, "allow")).resolves.toEqual({ kind: "allow" });
    },
  );

  test("is ended when it never gives its thread back, and lives again for the next ask", async () => {
    const link = aLink();
    await link.load();
    await expect(askOf(link, "spin", 50)).rejects.toThrow("taken back");
    await expect(askOf(link, "allow")).rejects.toThrow("answers nothing any more");
    await expect(askOf(link, "allow")).resolves.toEqual({ kind: "allow" });
  });

  test("writes into the log what it prints, never to the program's output", async () => {
    const seen: object[] = [];
    const printed = Promise.withResolvers<void>();
    const debug = (fields: object): void => {
      seen.push(fields);
      printed.resolve();
    };
    await askOf(aLink({ log: { ...SILENT_LOG, debug } }), "print");
    await printed.promise;
    expect(seen).toEqual([{ link: "judge", output: '{"ready":true}\n' }]);
  });

  test.each([
    ["does not parse", "export const = 1;", "Unexpected token"],
    ["exports no createLink", "export const judge = 1;", "exports no function"],
    ["gives no judge", "export const createLink = () => ({});", "gave nothing"],
    ["throws", "export const createLink = () => { throw new Error('no key'); };", "no key"],
    ["exits", "process.exit(1);", "ended its thread"],
  ])("is vacant when its module %s", async (_, text, why) => {
    using folder = tempFolder();
    const file = join(folder.path, "link.mjs");
    writeFileSync(file, text);
    const link = aLink({ file: pathToFileURL(file).href });
    await expect(link.load()).resolves.toContain(why);
    await expect(askOf(link)).rejects.toThrow(LinkVacantError);
  });

  test("is vacant when its module is not there", async () => {
    const link = aLink({ file: "file:///nonexistent/link.mjs" });
    await expect(link.load()).resolves.toContain("Cannot find module");
    await expect(askOf(link)).rejects.toThrow(LinkVacantError);
  });

  test("is tried again some seconds after it could not be loaded", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "link.mjs");
    let now = 0;
    const link = aLink({ file: pathToFileURL(file).href, monotonic: () => now });
    await expect(askOf(link)).rejects.toThrow(LinkVacantError);
    writeFileSync(
      file,
      "export const createLink = () => ({ judge: async () => ({ kind: 'deny' }) });",
    );
    await expect(askOf(link)).rejects.toThrow(LinkVacantError);
    now = 5_000;
    await expect(askOf(link)).resolves.toEqual({ kind: "deny" });
  });
});
