/** Commands that only ever read the files they are given. */
const READERS = new Set(
  ["cat", "head", "tail", "less", "more", "ls", "stat", "file", "wc", "grep", "egrep"].concat(
    ["fgrep", "rg", "diff", "cmp", "od", "xxd", "hexdump", "strings", "md5sum", "sha1sum"],
    ["sha256sum", "du", "tree", "realpath", "readlink", "cd", "pushd", "test", "cut", "nl", "jq"],
    ["source", ".", "bat", "tac", "zcat"],
  ),
);

/** Commands of which every word that is no option names a file. */
const FILES = new Set(
  ["cat", "head", "tail", "less", "more", "ls", "stat", "file", "wc", "diff", "cmp", "od"].concat(
    ["xxd", "hexdump", "strings", "md5sum", "sha1sum", "sha256sum", "du", "tree", "realpath"],
    ["readlink", "cd", "pushd", "nl", "source", ".", "bat", "tac", "zcat", "rm", "rmdir", "cp"],
    ["mv", "ln", "touch", "mkdir", "tee", "shred", "unlink", "truncate", "install", "sort", "uniq"],
  ),
);

/** Commands whose words never name a file they read or change. */
const NO_PATHS = new Set(
  ["echo", "printf", "true", "false", ":", "exit", "return", "break", "continue", "shift"].concat(
    ["sleep", "kill", "wait", "seq", "expr", "basename", "dirname", "test", "[", "[[", "export"],
    ["local", "declare", "typeset", "readonly", "unset", "read", "set", "shopt", "umask", "ulimit"],
    ["type", "let", "jobs", "fg", "bg", "disown", "tput", "getopts", "pwd", "which", "hash"],
  ),
);

/** Says whether a command only reads its files. */
export function onlyReads(command: string): boolean {
  return READERS.has(command);
}

/** Says whether each word of a command that is no option names a file. */
export function namesOnlyFiles(command: string): boolean {
  return FILES.has(command);
}

/** Says whether no word of a command names a file. */
export function namesNoPath(command: string): boolean {
  return NO_PATHS.has(command);
}
