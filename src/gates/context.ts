/** A skill that is active in the session. */
export interface ActiveSkill {
  readonly name: string;
  /** Absolute folder of its files. */
  readonly root: string;
}

/** What the machine that runs a call knows about it. */
export interface GateContext {
  /** Home folder that `~` and `$HOME` at the start of a path stand for. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The canonical form of an absolute path, also where its end does not exist yet. */
  readonly realpath: (absolute: string) => string;
  /** Names of tools that are the shell besides `bash`. */
  readonly shellTools?: readonly string[];
  /** Input fields that are paths, by tool name; an MCP call is named `server:tool`. */
  readonly toolPaths?: ReadonlyMap<string, readonly string[]>;
  /** Absolute folders of the host program's own files, which may be read without asking. */
  readonly infrastructureReadPaths?: readonly string[];
  readonly skills?: readonly ActiveSkill[];
}
