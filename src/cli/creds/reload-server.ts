import { existsSync, readFileSync } from "node:fs";
import type { IssuerFiles } from "./issuer-folder.ts";

/** What a server that runs on an issuer's files made of a change. */
export type Reloaded = "reloaded" | "not_running" | "unknown";

/**
 * Tells a server of this machine that runs on an issuer's files to read them again. Nothing is told to a process that
 * is not that server: ids of processes are used again.
 */
export function reloadServer(files: IssuerFiles): Reloaded {
  if (!existsSync(files.pid)) return "not_running";
  const pid = Number(readFileSync(files.pid, "utf8").trim());
  if (!Number.isInteger(pid) || pid <= 1) return "unknown";
  if (process.platform !== "linux") return "unknown";
  try {
    const command = readFileSync(`/proc/${String(pid)}/cmdline`, "utf8").split("\0");
    if (!command.some((word) => word.includes("nats-server"))) return "not_running";
    if (!command.includes(files.server)) return "unknown";
    process.kill(pid, "SIGHUP");
    return "reloaded";
  } catch {
    return "not_running";
  }
}
