import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  rmdirSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { explainConfig } from "../config/explain-config.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { sessionFiles } from "../journal/session-files.ts";
import { sentenceOf } from "./failure.ts";
import { findingLine } from "./finding-line.ts";
import type { CheckLine } from "./lines.ts";

/** Free space under which a full disk is near, in bytes. */
const LITTLE_SPACE = 256 * 1024 * 1024;

/** What is wrong with the configuration, or that nothing is. */
export function checkConfiguration(config: LoadedConfig): readonly CheckLine[] {
  const faults = explainConfig(config).filter(({ status }) => status !== "ok");
  if (faults.length > 0) return faults.map(findingLine);
  return [{ check: "configuration", status: "ok", text: "no problem was found" }];
}

/** Whether the data folder, or the place where it will be, takes files, and keeps them to this user. */
export function checkDataFolder(folder: string): CheckLine {
  const check = "data folder";
  try {
    const there = existsSync(folder);
    const nearest = there ? folder : nearestFolder(folder);
    if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is no folder`);
    accessSync(nearest, constants.W_OK | constants.X_OK);
    // Rights alone do not tell: a place like /proc takes no folders from anybody.
    rmdirSync(mkdtempSync(join(nearest, ".askfabric-doctor-")));
    const { bavail, bsize } = statfsSync(nearest);
    if (bavail * bsize < LITTLE_SPACE) {
      const text = `${folder} has less than ${LITTLE_SPACE / 1024 / 1024} MiB left`;
      return {
        check,
        status: "warn",
        text,
        todo: "make room: asks that cannot be kept are refused",
      };
    }
    if (!there) return { check, status: "ok", text: `${folder} will be made at first use` };
    const mode = statSync(folder).mode & 0o777;
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      const text = `${folder} is open to other users (mode ${mode.toString(8)})`;
      return { check, status: "warn", text, todo: `run chmod 700 ${folder}` };
    }
    return { check, status: "ok", text: `${folder} takes files of this user alone` };
  } catch (error) {
    const text = `${folder} cannot be written (${sentenceOf(error)})`;
    return {
      check,
      status: "fail",
      text,
      todo: "give this user the right to write there, or name another with --data",
    };
  }
}

function nearestFolder(folder: string): string {
  let nearest = dirname(folder);
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  return nearest;
}

/** Whether the journal of a session can be read. It is only looked at: no process of the session notices. */
export function checkJournal(folder: string, session: string): CheckLine {
  const check = "journal";
  const { journal } = sessionFiles(folder, session);
  if (!existsSync(journal)) {
    return { check, status: "ok", text: `${journal} will be made at first use` };
  }
  try {
    const database = new DatabaseSync(journal, { readOnly: true, timeout: 1000 });
    try {
      const answer = database.prepare("PRAGMA quick_check(1)").get();
      const found = String(Object.values(answer ?? {})[0]);
      if (found !== "ok") throw new Error(found);
    } finally {
      database.close();
    }
    return { check, status: "ok", text: `${journal} is sound` };
  } catch (error) {
    const text = `${journal} cannot be read (${sentenceOf(error)})`;
    return {
      check,
      status: "fail",
      text,
      todo: "make it readable for this user; move a damaged one away to begin a new one",
    };
  }
}
