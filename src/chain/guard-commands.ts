import { type FoundCommand, INTERPRETERS, REDIRECTION } from "./guard-words.ts";

/** Whole trees: the root and what lies right under it, homes, the folder itself and those above, everything in it. */
const WHOLE_TREE =
  /^(?:\/|\/\*|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library)(?:\/\*?)?|(?:~|\$HOME|\$\{HOME\})(?:\/\*?)?|\.\/?|\.\/\*|\.\.(?:\/\.\.)*(?:\/\*?)?|\*|\.\*|\.\[!\.\]\*|\.git\/?)$/;

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-)/;

const FORK_BOMB = /(\w+|:)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&?\s*;?\s*\}/;

const DOWNLOADERS: ReadonlySet<string> = new Set(["curl", "wget"]);

/** Why a text and the commands in it are destructive beyond doubt, as a clause; null when they are not. */
export function destructionIn(text: string, commands: readonly FoundCommand[]): string | null {
  if (FORK_BOMB.test(text)) return "it starts processes without end";
  if (runsDownload(commands)) return "it runs what it downloads unseen";
  for (const command of commands) {
    const why = CHECKS.get(command.program)?.(command.args) ?? makesFileSystem(command);
    if (why !== null) return why;
  }
  return null;
}

function runsDownload(commands: readonly FoundCommand[]): boolean {
  let downloads = false;
  for (const { program, args, piped } of commands) {
    const runs = INTERPRETERS.has(program);
    if (piped && downloads && (runs || /^(?:python|node|perl|ruby)[\d.]*$/.test(program)))
      return true;
    if (runs && args.some((word) => /^(?:\$\(|`)\s*(?:curl|wget)\b/.test(word))) return true;
    downloads = DOWNLOADERS.has(program) || (piped && downloads);
  }
  return false;
}

type Check = (args: readonly string[]) => string | null;

const has = (args: readonly string[], flags: RegExp): boolean =>
  args.some((one) => flags.test(one));

const treeOf = (args: readonly string[]): boolean =>
  args.some((one) => WHOLE_TREE.test(one.replaceAll(/\/{2,}/g, "/")));

const removes: Check = (args) => {
  const recursive = has(args, /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/);
  return recursive && treeOf(args) ? "it removes a whole tree" : null;
};

const changesTree: Check = (args) =>
  has(args, /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/) &&
  args.some((one) => WHOLE_TREE.test(one) && one.startsWith("/"))
    ? "it changes owners or rights of a whole tree"
    : null;

/** Not so with options that only explain; others mean one thing here and a stop elsewhere (`shutdown -c`). */
const stopsMachine: Check = (args) =>
  has(args, /^--(?:help|version)$/) ? null : "it stops the machine";

const git: Check = (args) => {
  if (!args.includes("push")) return null;
  const forced = has(args, /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*|--mirror|\+\S+)$/);
  return forced ? "it overwrites history that others have" : null;
};

const sql: Check = (args) =>
  has(args, /\b(?:drop\s+(?:database|schema|table)|truncate\s+table)\b/i)
    ? "it drops data of a database"
    : null;

const OVERWRITES = "it writes over a disk";

const disk: Check = (args) => (has(args, DISK) ? OVERWRITES : null);

const FINDS_SOME = /^-(?:i?name|i?path|i?regex|mtime|mmin|newer|size|empty|user)$/;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["rm", removes],
  ["chmod", changesTree],
  ["chown", changesTree],
  ["shutdown", stopsMachine],
  ["reboot", stopsMachine],
  ["halt", stopsMachine],
  ["poweroff", stopsMachine],
  ["git", git],
  ["psql", sql],
  ["mysql", sql],
  ["mariadb", sql],
  ["sqlite3", sql],
  ["dropdb", () => "it drops data of a database"],
  [
    "find",
    (args) =>
      has(args, /^-delete$/) && treeOf(args) && !has(args, FINDS_SOME)
        ? "it removes a whole tree"
        : null,
  ],
  ["dd", (args) => disk(args.filter((one) => one.startsWith("of=")).map((one) => one.slice(3)))],
  ["shred", disk],
  ["wipefs", disk],
  [REDIRECTION, disk],
  ["blkdiscard", () => OVERWRITES],
  ["terraform", (args) => (args[0] === "destroy" ? "it destroys what runs elsewhere" : null)],
  [
    "kubectl",
    (args) =>
      args.includes("delete") && has(args, /^(?:ns|namespaces?|--all|--all-namespaces)$/)
        ? "it destroys what runs elsewhere"
        : null,
  ],
]);

function makesFileSystem({ program }: FoundCommand): string | null {
  return /^mkfs(?:\.\w+)?$/.test(program) ? OVERWRITES : null;
}
