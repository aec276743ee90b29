import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { testServer } from "../support/nats-servers.ts";
import { NO_TMUX, runOnScreen, type ScreenProgram } from "../support/screen.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

const DEMO = fileURLToPath(new URL("../../demo/main.ts", import.meta.url));
const CLOSING = /^demo: \d+ calls, \d+ allowed, \d+ denied, \d+ lost, \d+ records kept$/m;

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

let natsServer: string;
beforeAll(async () => {
  natsServer = (await testServer()).command;
});

interface RunningDemo {
  readonly ended: Promise<number | null>;
  out(): string;
  kill(signal: NodeJS.Signals): void;
}

function startDemo(
  folder: string,
  { server = natsServer, flags = [] }: { server?: string; flags?: readonly string[] } = {},
): RunningDemo {
  const env = { PATH: process.env["PATH"], TMPDIR: folder, ASKFABRIC_NATS_SERVER: server };
  const demo = spawn(process.execPath, [DEMO, ...flags], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    demo.once("close", resolve);
  });
  return { ended, out: () => out, kill: (signal) => demo.kill(signal) };
}

/** The command lines of all processes that were started on a folder. */
function processesOn(folder: string): readonly string[] {
  const all = execFileSync("ps", ["-eww", "-o", "args"], { encoding: "utf8" });
  return all.split("\n").filter((line) => line.includes(`${folder}/`));
}

describe("the demo", () => {
  it("plays a coding session to its end, tells who decided, and leaves nothing behind", async () => {
    using folder = tempFolder();
    const demo = startDemo(folder.path);
    const code = await demo.ended;
    expect(demo.out()).toMatch(CLOSING);
    expect(code).toBe(0);
    expect(demo.out()).toContain("demo: 39 calls, 26 allowed, 10 denied, 3 lost, ");
    for (const way of [
      /^ {2}allowed builder {2}bash git status --short +rule bash git status \*$/m,
      /^ {2}denied {2}builder {2}read ~\/\.ssh\/id_ed25519 +rule path ~\/\.ssh\/\*: keys$/m,
      /^ {2}denied {2}builder {2}mcp db:drop_table +rule mcp db:drop_\*: tables$/m,
      /^ {2}allowed builder {2}bash git push origin v0\.2\.0 +for this child: git push \*$/m,
      /^ {2}denied {2}reviewer bash git push origin main +no: a reviewer does not push$/m,
      /^ {2}allowed builder {2}bash npm outdated --long +link looks$/m,
      /^ {2}denied {2}reviewer bash git push --force origin … +link guard: it overwrites$/m,
      /^ {2}lost {4}reviewer bash npm run dev +cancelled: /m,
      /^ {2}lost {4}reviewer bash npm publish --tag next +timed_out: /m,
      /^ {2}lost {4}reviewer bash git tag v0\.2\.0 +not_serving: /m,
      /^builder → lead: allowed by lead: a person \(stdin\) after /m,
    ]) {
      expect(demo.out()).toMatch(way);
    }
    expect(demo.out()).not.toContain("\u001b");
    for (const line of demo.out().split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(readdirSync(folder.path)).toEqual([]);
    expect(processesOn(folder.path)).toEqual([]);
  });

  it("plays the same session through a relay, with the same ends and a trace of three sessions", async () => {
    using folder = tempFolder();
    const demo = startDemo(folder.path, { flags: ["--relay"] });
    const code = await demo.ended;
    expect(demo.out()).toMatch(CLOSING);
    expect(code).toBe(0);
    expect(demo.out()).toContain("demo: 39 calls, 26 allowed, 10 denied, 3 lost, ");
    for (const way of [
      /^ {2}allowed builder {2}bash npm outdated --long +link looks$/m,
      /^ {2}denied {2}reviewer bash git push origin main +no: a reviewer does not push$/m,
      /^ {2}lost {4}reviewer bash npm run dev +cancelled: /m,
      /^ {2}lost {4}reviewer bash npm publish --tag next +timed_out: /m,
      /^ {2}lost {4}reviewer bash git tag v0\.2\.0 +not_serving: /m,
      /^builder → desk → lead: allowed by desk: lead: a person \(stdin\) after /m,
      /^audit verify: \d+ records of 4 sessions: nothing is wrong$/m,
    ]) {
      expect(demo.out()).toMatch(way);
    }
    for (const line of demo.out().split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(readdirSync(folder.path)).toEqual([]);
    expect(processesOn(folder.path)).toEqual([]);
  });

  it("ends all it started and removes its folder when it is stopped in the middle", async () => {
    using folder = tempFolder();
    const demo = startDemo(folder.path);
    await until("the demo to play", () => demo.out().includes("judged, not run"), 20_000);
    expect(processesOn(folder.path)).not.toEqual([]);
    demo.kill("SIGINT");
    expect(await demo.ended).toBe(130);
    expect(readdirSync(folder.path)).toEqual([]);
    expect(processesOn(folder.path)).toEqual([]);
  });

  it("names an option that it does not know, says what is possible, and starts nothing", async () => {
    using folder = tempFolder();
    const wrong = startDemo(folder.path, { flags: ["--script"] });
    expect(await wrong.ended).toBe(1);
    expect(wrong.out()).toMatch(/^demo: Unknown option '--script'\n\n.*--scripted/s);
    const help = startDemo(folder.path, { flags: ["--help"] });
    expect(await help.ended).toBe(0);
    expect(help.out()).toMatch(/^npm run demo /);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("says what failed and where the logs are, and keeps those alone", async () => {
    using folder = tempFolder();
    const demo = startDemo(folder.path, { server: "/nonexistent/nats-server" });
    expect(await demo.ended).toBe(1);
    expect(demo.out()).toContain("/nonexistent/nats-server is not a nats-server that runs here");
    const logs = readdirSync(folder.path);
    expect(logs).toHaveLength(1);
    expect(demo.out()).toContain(`logs of its programs are in ${folder.path}/${logs.join()}`);
  });
});

describe.skipIf(NO_TMUX !== null)("the demo at a terminal", () => {
  it("lets a person decide by keys and tells it afterwards", async () => {
    using folder = tempFolder();
    using screen = demoOnScreen(folder.path);
    await screen.shows("You are the person at lead");
    await until("the closing line", () => hasEnded(screen), 60_000);
    expect(screen.read()).toMatch(/lost, \d+ records kept$/);
    // No word is torn at the edge of the screen.
    expect(screen.read().replaceAll(/\s+/g, " ")).toContain(
      "c or s on a `git push` or a `docker compose up` leaves a grant that answers a later ask.",
    );
    expect(screen.read()).toMatch(/git push origin main +for this child: git push \*$/m);
    expect(screen.read()).toMatch(/git push origin v0\.2\.0 +for this child: git push \*$/m);
    expect(screen.readStyled()).not.toContain("\u001b[");
    await until("the folder to be gone", () => readdirSync(folder.path).length === 0);
  }, 90_000);

  it("ends everything when a person stops it in a dialog", async () => {
    using folder = tempFolder();
    using screen = demoOnScreen(folder.path);
    await screen.shows("Enter denies.");
    screen.press("C-c");
    await screen.shows("The demo was stopped; nothing is left of it.");
    expect(readdirSync(folder.path)).toEqual([]);
    expect(processesOn(folder.path)).toEqual([]);
  });
});

function demoOnScreen(folder: string): ScreenProgram {
  const env = [`TMPDIR=${folder}`, `ASKFABRIC_NATS_SERVER=${natsServer}`, "NO_COLOR=1"];
  return runOnScreen([], { columns: 80, rows: 150, env, program: DEMO });
}

/** Allows what is asked, with a grant for a push of the builder; says whether nothing more will be. */
function hasEnded(screen: ScreenProgram): boolean {
  const shown = screen.read();
  if (shown.includes("Enter goes back.")) screen.press("y");
  else if (shown.includes("Enter denies.")) {
    const isPush = /session +: builder/.test(shown) && /value +: git push origin main/.test(shown);
    screen.press(isPush ? "c" : "y");
  }
  return CLOSING.test(shown);
}
