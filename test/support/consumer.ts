import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A project of a stranger that depends on the packed package and on nothing else of this repository. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Adds packages by name and version, beside what is there. */
  install(...packages: readonly string[]): Promise<void>;
  /** Runs a program in the folder; what it wrote and how it ended. */
  run(command: string, ...args: readonly string[]): Promise<Ran>;
}

/** How a program ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Packs this repository as it would be published and installs that into an empty project. */
export async function openConsumer(): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), "askfabric-consumer-"));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const install = async (...packages: readonly string[]): Promise<void> => {
    await run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  };
  try {
    const manifest = { name: "consumer", private: true, type: "module" };
    // The package `node` links its binary by a script, under whatever name it is installed.
    write("package.json", JSON.stringify({ ...manifest, allowScripts: { node: true } }));
    const packed = await run(
      "npm",
      ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
      {
        cwd: ROOT,
      },
    );
    const { filename } = firstOf(packed.stdout);
    await install(join(folder, filename));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    write,
    install,
    run: async (command, ...args) => ran(command, args, folder),
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function firstOf(stdout: string): { readonly filename: string } {
  const [first] = JSON.parse(stdout) as { filename: string }[];
  if (first === undefined) throw new Error("npm pack named no file");
  return first;
}

async function ran(command: string, args: readonly string[], cwd: string): Promise<Ran> {
  try {
    return { code: 0, ...(await run(command, args, { cwd })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Partial<Ran>;
    return { code: Number(code ?? 1), stdout: stdout ?? "", stderr: stderr ?? String(error) };
  }
}
