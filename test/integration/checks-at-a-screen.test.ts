import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_TMUX, runOnScreen } from "../support/screen.ts";
import { tempFolder } from "../support/temp-folder.ts";

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

describe.skipIf(NO_TMUX !== null)("checks at a terminal", () => {
  it("config check tells a person in words what is wrong, what to do, and what nobody chose", async () => {
    using folder = tempFolder();
    const config = join(folder.path, "rules.json");
    writeFileSync(config, '{"permission":{"bash":{"rm *":"dney"}},"promptMaxRow":3}');
    const args = ["config", "check", "--config", config];
    using screen = runOnScreen(args, { columns: 200, rows: 40, env: [`HOME=${folder.path}`] });
    const text = await screen.shows("as by default: ");
    expect(text).toMatch(/^FAIL {5}\S+rules\.json:1:\d+: "dney" is not an action/m);
    expect(text).toMatch(/^FAIL {5}\S+rules\.json:1:\d+: promptMaxRow is 3; /m);
    // What is to be done about both stands once, behind the second.
    expect(text.match(/→ correct it; until then its source does not count/g)).toHaveLength(1);
    expect(text).toMatch(/as by default: [^{]*promptMaxRows/);
    expect(text).not.toContain('{"check"');
  });

  it("config check prints the lines of its contract to whoever asks for them", async () => {
    using folder = tempFolder();
    const env = [`HOME=${folder.path}`];
    using screen = runOnScreen(["config", "check", "--json"], { columns: 200, rows: 40, env });
    const text = await screen.shows('{"check":"subjectPrefix","status":"ok"');
    expect(text).not.toContain("as by default");
  });
});
