import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { quantile } from "./figures.ts";

/** What figures depend on. */
export interface Machine {
  readonly cpus: number;
  readonly model: string;
  readonly node: string;
  readonly server: string;
  /** Milliseconds in which the disk under the journals takes 4 KiB for good, in the middle of 200 times. */
  readonly syncMs: number;
}

/** Looks at the machine; `folder` stands on the disk that journals are written to. */
export function readMachine(folder: string, server: string): Machine {
  const all = cpus();
  return {
    cpus: all.length,
    model: all[0]?.model.trim() ?? "unknown",
    node: process.version,
    server,
    syncMs: syncMs(folder),
  };
}

function syncMs(under: string): number {
  const folder = mkdtempSync(join(under, "askfabric-bench-"));
  const file = openSync(join(folder, "sync"), "w");
  const page = Buffer.alloc(4096, 1);
  try {
    const times = Array.from({ length: 200 }, () => {
      const begun = performance.now();
      writeSync(file, page);
      fdatasyncSync(file);
      return performance.now() - begun;
    });
    return quantile(times, 0.5);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
