import type { ToolCall } from "../ask/tool-call.ts";

/** A skill that is active in the session. */
export interface ActiveSkill {
  readonly name: string;
  /** Absolute folder of its files. */
  readonly root: string;
}

/** Where a tool that is the shell under another name keeps its command. */
export interface ShellFields {
  /** Input field that holds the command. */
  readonly commandArgument: string;
  /** Input field that holds the folder it runs in; absent: it has none. */
  readonly workdirArgument?: string;
}

/** A path that a call is about, as its input gives it. */
export interface ExtractedPath {
  /** Absolute, relative to the working directory, or with `~`. */
  readonly path: string;
  /** What the call does to it; absent: it may do either. */
  readonly direction?: "read" | "write";
}

/**
 * Says which paths a call of a tool is about that is neither the shell nor a file tool. Null: it knows nothing of
 * this tool. Whatever it throws refuses the call.
 */
export type PathExtractor = (call: ToolCall) => readonly ExtractedPath[] | null;

/** A name in a folder. */
export interface FolderEntry {
  readonly name: string;
  /** Whether it is a folder itself; a link to one is none. */
  readonly isFolder: boolean;
}

/** What the machine that runs a call knows about it. */
export interface GateContext {
  /** Home folder that `~` and `$HOME` at the start of a path stand for. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The canonical form of an absolute path, also where its end does not exist yet. */
  readonly realpath: (absolute: string) => string;
  /**
   * Lists an absolute folder; empty when it is none, null when what is in it could not be found out. Absent: nothing is
   * known. A command with patterns of files that nothing is known of is one that no rule can allow.
   */
  readonly list?: (absolute: string) => readonly FolderEntry[] | null;
  /** Tools that are the shell besides `bash`, by name. */
  readonly shellTools?: ReadonlyMap<string, ShellFields>;
  /** Input fields that are paths, by tool name; an MCP call is named `server:tool`. */
  readonly toolPaths?: ReadonlyMap<string, readonly string[]>;
  /** Knows the paths of tools that no configuration names; asked beside `toolPaths`. */
  readonly extractPaths?: PathExtractor;
  /** Absolute folders of the host program's own files, which may be read without asking. */
  readonly infrastructureReadPaths?: readonly string[];
  /** Says the same of a canonical path by other means than a folder. */
  readonly isInfrastructure?: (canonical: string) => boolean;
  readonly skills?: readonly ActiveSkill[];
}
