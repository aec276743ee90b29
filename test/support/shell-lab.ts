import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { FolderEntry } from "../../src/gates/context.ts";
import { LAB_NAMES } from "./shell-commands.ts";

/** How a command was called. */
export interface Called {
  readonly folder: string;
  readonly name: string;
  readonly args: readonly string[];
}

/** A folder in which a real shell runs commands that do nothing but record how they were called. */
export interface ShellLab {
  readonly work: string;
  readonly home: string;
  /** What its folders hold before a command runs. */
  readonly list: (folder: string) => readonly FolderEntry[];
  /** Null when the shell was killed because it did not end. */
  readonly run: (command: string) => readonly Called[] | null;
  readonly close: () => void;
}

/** What a command leaves running without end must not outlive the lab. */
const LIMITED = 'ulimit -t 2; exec "$0" "$@"';

const STUB = `#!/bin/sh
printf '%s\\037' "$PWD" "\${0##*/}" "$@" '\u001e' >> "$LAB_LOG"
if [ "\${0##*/}$#" = cat0 ]; then while IFS= read -r line; do printf '%s\\n' "$line"; done; fi
`;

/** Lays out the lab with `s/k` to read and nothing on its path but the recorders. */
export function openShellLab(shell = "bash"): ShellLab {
  const folder = mkdtempSync(join(tmpdir(), "askfabric-shell-lab-"));
  const bin = join(folder, "bin");
  const work = join(folder, "work");
  mkdirSync(bin);
  for (const name of LAB_NAMES) {
    writeFileSync(join(bin, name), STUB);
    chmodSync(join(bin, name), 0o755);
  }
  const flags = shell === "bash" ? ["--norc", "--noprofile"] : [];

  let runs = 0;

  function run(command: string): readonly Called[] | null {
    // What an earlier command left in the background must not be taken for this one's.
    const log = join(folder, `log-${(runs += 1)}`);
    rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
    mkdirSync(join(work, "s"), { recursive: true });
    writeFileSync(join(work, "s", "k"), "");
    writeFileSync(log, "");
    const { signal } = spawnSync(
      "/bin/sh",
      ["-c", LIMITED, `/bin/${shell}`, ...flags, "-c", command],
      {
        cwd: work,
        env: { PATH: bin, LAB_LOG: log, HOME: join(folder, "home") },
        input: "",
        timeout: 3000,
        killSignal: "SIGKILL",
        stdio: ["pipe", "ignore", "ignore"],
      },
    );
    const calls = called(readFileSync(log, "utf8"));
    rmSync(log);
    return signal === null ? calls : null;
  }
  return {
    work,
    list: (folder) => {
      if (resolve(folder) === work) return [{ name: "s", isFolder: true }];
      return resolve(folder) === join(work, "s") ? [{ name: "k", isFolder: false }] : [];
    },
    home: join(folder, "home"),
    run,
    close: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
    },
  };
}

function called(log: string): readonly Called[] {
  return log
    .split("\u001e\u001f")
    .slice(0, -1)
    .map((entry) => {
      const [folder = "", name = "", ...args] = entry.split("\u001f").slice(0, -1);
      return { folder, name, args };
    });
}
