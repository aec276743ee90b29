import type { NoteEvent } from "../ask/record.ts";
import type { FoundFile, LoadedConfig } from "../config/load-config.ts";

/** Takes a review entry of the program itself. */
export interface NoteTaker {
  note(event: NoteEvent, fields: Readonly<Record<string, unknown>>): void;
}

/** Records which configuration is in force, and each of its issues once. */
export function noteConfig(taker: NoteTaker, config: LoadedConfig): void {
  taker.note("config.resolved", {
    ok: config.ok,
    files: [fileOf("user", config.user), fileOf("project", config.project)],
    scopes: Object.keys(config.scopes).filter((scope) => scope !== "invalid"),
    invalid: config.scopes.invalid ?? [],
    yoloMode: config.options.yoloMode,
  });
  for (const { source, path, message, rejects } of config.issues) {
    taker.note("config.issue", { source, path, message, rejects });
  }
}

function fileOf(source: "user" | "project", { path, state, digest }: FoundFile): object {
  return { source, path, state, digest };
}
