import { posix } from "node:path";
import { type FoundCommand, INTERPRETERS, REDIRECTION } from "./guard-words.ts";

/** Whole trees: the root and what lies right under it, homes, the folder itself and those above, everything in it. */
const WHOLE_TREE =
  /^(?:\/|\/\*|\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library)(?:\/\*)?|\/(?:home|Users)\/[^/]+(?:\/\*)?|(?:~|\$(?:HOME|PWD|OLDPWD|\{(?:HOME|PWD|OLDPWD)\}))(?:\/\.?\*)?|\.|\.\.(?:\/\.\.)*(?:\/\*)?|\*|\.\*|\.\[!\.\]\*|\.git)$/;

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-)/;

const FORK_BOMB = /(\w+|:)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&?\s*;?\s*\}/;

const DOWNLOADERS: ReadonlySet<string> = new Set(["curl", "wget"]);

/** Why a text and the commands in it are destructive beyond doubt, as a clause; null when they are not. */
export function destructionIn(text: string, commands: readonly FoundCommand[]): string | null {
  if (FORK_BOMB.test(text)) return "it starts processes without end";
  if (runsDownload(commands)) return "it runs what it downloads unseen";
  for (const { program, args } of commands) {
    // Options that only explain.
    if (args.some((one) => /^--(?:help|version)$/.test(one)) && !args.includes("--")) continue;
    const why = (CHECKS.get(program) ?? CHECKS.get(program.replace(/\..*$/s, ".")))?.(args) ?? null;
    if (why !== null) return why;
  }
  return null;
}

function runsDownload(commands: readonly FoundCommand[]): boolean {
  let downloads = false;
  let before = "";
  for (const { program, args, piped, given } of commands) {
    if (piped && downloads && runsInput(program, args)) return true;
    if (given && DOWNLOADERS.has(program) && INTERPRETERS.has(before)) return true;
    const isText = args.some((word) => /^(?:\$\(|`)\s*(?:curl|wget)\b/.test(word));
    if (isText && INTERPRETERS.has(program)) return true;
    downloads = DOWNLOADERS.has(program) || (piped && downloads);
    before = program;
  }
  return false;
}

/** Says whether a program runs what is written to it: it is given no other program, as a text or as a file. */
function runsInput(program: string, args: readonly string[]): boolean {
  const operand = args.find((one) => !/^[-+]./.test(one)) ?? "-";
  const readsInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(operand);
  if (program === "source" || program === ".") return args.length > 0 && readsInput;
  if (program === "su") return !has(args, /^-[a-z]*c|^--command/);
  if (INTERPRETERS.has(program) && program !== "eval") {
    return has(args, /^-[a-z]*s/) || (readsInput && !has(args, /^-[a-z]*c/));
  }
  if (!/^(?:python|node|perl|ruby|php|bun|deno)[\d.]*$/.test(program)) return false;
  return readsInput && !has(args, /^-[a-zA-Z]*[cemnpr]|^--(?:eval|print)/);
}

type Check = (args: readonly string[]) => string | null;

const has = (args: readonly string[], flags: RegExp): boolean =>
  args.some((one) => flags.test(one));

/** The words that are no options; `valued` take the next word. */
function operands(args: readonly string[], valued: RegExp): readonly string[] {
  return args.filter((one, i) => !one.startsWith("-") && !valued.test(args[i - 1] ?? ""));
}

function isTree(path: string): boolean {
  return WHOLE_TREE.test(posix.normalize(path).replace(/(.)\/$/, "$1"));
}

const treeOf = (args: readonly string[]): boolean => args.some(isTree);

const removes: Check = (args) => {
  const recursive = has(args, /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/);
  return recursive && treeOf(args) ? "it removes a whole tree" : null;
};

const changesTree: Check = (args) =>
  has(args, /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/) &&
  args.some((one) => one.startsWith("/") && isTree(one))
    ? "it changes owners or rights of a whole tree"
    : null;

const STOPS = "it stops the machine";

/** Some options mean one thing here and a stop elsewhere (`shutdown -c`). */
const stopsMachine: Check = () => STOPS;

const systemctl: Check = (args) =>
  /^(?:poweroff|reboot|halt|kexec)$/.test(operands(args, /^(?:-[HMt]|--host|--type)$/)[0] ?? "")
    ? STOPS
    : null;

const changesLevel: Check = (args) => (/^[06]$/.test(args[0] ?? "") ? STOPS : null);

const git: Check = (args) => {
  const at = args.findIndex((one, i) => !one.startsWith("-") && !/^-[Cc]$/.test(args[i - 1] ?? ""));
  if (args[at] !== "push") return null;
  const rest = args.slice(at + 1);
  if (has(rest, /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/)) return null;
  const forced = has(rest, /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*|--mirror|\+\S+)$/);
  return forced ? "it overwrites history that others have" : null;
};

const DROPS = "it drops data of a database";

const sql: Check = (args) =>
  has(args, /\b(?:drop\s+(?:database|schema|table)|truncate\s+table)\b/i) ? DROPS : null;

const OVERWRITES = "it writes over a disk";

const disk: Check = (args) => (has(args, DISK) ? OVERWRITES : null);

/** A disk, where an option says that it is changed. */
const diskWith =
  (flags: RegExp, harmless = /^$/): Check =>
  (args) =>
    has(args, DISK) && has(args, flags) && !has(args, harmless) ? OVERWRITES : null;

const FINDS_SOME = /^-(?:i?name|i?path|i?regex|mtime|mmin|newer|size|empty|user)$/;

const finds: Check = (args) => {
  const removesFound =
    has(args, /^-delete$/) ||
    args.some(
      (one, i) => /^-(?:exec|ok)(?:dir)?$/.test(one) && /(?:^|\/)rm$/.test(args[i + 1] ?? ""),
    );
  return removesFound && treeOf(args) && !has(args, FINDS_SOME) ? "it removes a whole tree" : null;
};

const DESTROYS = "it destroys what runs elsewhere";

const terraform: Check = (args) => {
  const [action] = operands(args, /(?!)/);
  const isMeant = action === "destroy" || (action === "apply" && has(args, /^--?destroy$/));
  return isMeant && !has(args, /^-help$/) ? DESTROYS : null;
};

const KUBECTL_VALUED =
  /^(?:-[nslof]|--(?:namespace|context|cluster|user|kubeconfig|server|token|selector|output|filename))$/;

const kubectl: Check = (args) => {
  const [action, kinds = ""] = operands(args, KUBECTL_VALUED);
  if (action !== "delete" || has(args, /^--dry-run(?:=(?:client|server))?$/)) return null;
  const isWide = has(args, /^(?:-A|--all|--all-namespaces)(?:=true)?$/);
  return isWide || /(?:^|,)(?:ns|namespaces?)(?:[/,]|$)/.test(kinds) ? DESTROYS : null;
};

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["rm", removes],
  ["chmod", changesTree],
  ["chown", changesTree],
  ...["shutdown", "reboot", "halt", "poweroff"].map((name): [string, Check] => [
    name,
    stopsMachine,
  ]),
  ["systemctl", systemctl],
  ["init", changesLevel],
  ["telinit", changesLevel],
  ["git", git],
  ...["psql", "mysql", "mariadb", "sqlite3"].map((name): [string, Check] => [name, sql]),
  ["dropdb", () => DROPS],
  ["find", finds],
  ["dd", (args) => disk(args.filter((one) => one.startsWith("of=")).map((one) => one.slice(3)))],
  ["shred", disk],
  ["tee", disk],
  ["cp", (args) => disk(args.slice(-1))],
  ["wipefs", diskWith(/^(?:-[a-zA-Z]*[ao]|--all|--offset)/, /^(?:-[a-zA-Z]*n[a-zA-Z]*|--no-act)$/)],
  ["sgdisk", diskWith(/^(?:-[a-zA-Z]*[zZo]|--zap|--clear)/)],
  ["cryptsetup", diskWith(/^(?:luksFormat|luksErase|erase|reencrypt)$/)],
  [REDIRECTION, disk],
  ["blkdiscard", disk],
  ["mkfs", disk],
  ["mkfs.", diskWith(/^/, /^-n$/)],
  ["mke2fs", diskWith(/^/, /^-n$/)],
  ["mkswap", disk],
  ["terraform", terraform],
  ["tofu", terraform],
  ["kubectl", kubectl],
]);
