/** How a command that runs another one takes its own words. */
export interface Shape {
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[];
  /** Words of its own between the options and the command. */
  readonly operands?: number;
  readonly assignments?: boolean;
  /** Options whose value is the text of a command. */
  readonly texts?: readonly string[];
  /** Whether the rest is joined and given to a shell. */
  readonly joins?: boolean;
  /** Options with which it runs nothing. */
  readonly inert?: readonly string[];
}

/** Commands that run the command given as their last words. */
export const INDIRECTIONS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    "sudo",
    {
      assignments: true,
      valued: ["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R"].concat(
        ["--user", "--group", "--host", "--prompt", "--close-from", "--role", "--type"],
        ["--command-timeout", "--other-user", "--chdir", "--chroot"],
      ),
    },
  ],
  ["doas", { valued: ["-u", "-C"] }],
  [
    "env",
    {
      assignments: true,
      valued: ["-u", "-C", "--unset", "--chdir"],
      texts: ["-S", "--split-string"],
    },
  ],
  [
    "xargs",
    {
      valued: ["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"].concat(
        ["--arg-file", "--delimiter", "--max-lines", "--max-args", "--max-procs", "--max-chars"],
        ["--process-slot-var"],
      ),
    },
  ],
  ["time", { valued: ["-f", "-o", "--format", "--output"] }],
  ["nohup", {}],
  ["timeout", { valued: ["-s", "-k", "--signal", "--kill-after"], operands: 1 }],
  ["nice", { valued: ["-n", "--adjustment"] }],
  ["ionice", { valued: ["-c", "-n", "--class", "--classdata"] }],
  ["parallel", { valued: ["-j", "-n", "-N", "-a", "-I", "-S", "--jobs", "--arg-file"] }],
  ["setsid", {}],
  ["stdbuf", { valued: ["-i", "-o", "-e", "--input", "--output", "--error"] }],
  ["watch", { valued: ["-n", "--interval"], joins: true }],
  [
    "flock",
    {
      valued: ["-w", "-E", "--wait", "--timeout", "--conflict-exit-code"],
      operands: 1,
      texts: ["-c", "--command"],
    },
  ],
  ["command", { inert: ["-v", "-V"] }],
  ["builtin", {}],
  ["exec", { valued: ["-a"] }],
  ["busybox", {}],
  ["coproc", {}],
  ["noglob", {}],
  ["nocorrect", {}],
  ["-", {}],
  ["repeat", { operands: 1 }],
  ["su", { valued: ["-s", "-g", "-G", "-w"], operands: 1, texts: ["-c", "--command"] }],
  ["runuser", { valued: ["-u", "-s", "-g", "-G"], texts: ["-c", "--command"] }],
  ["pkexec", { valued: ["--user"] }],
  ["fakeroot", { valued: ["-l", "-s", "-i", "-b"] }],
  ["unshare", { valued: ["-R", "-S", "-G", "-w"] }],
  ["nsenter", { valued: ["-t", "-S", "-G"] }],
  ["taskset", { operands: 1 }],
  ["caffeinate", { valued: ["-t", "-w"] }],
  ["strace", { valued: ["-e", "-o", "-p", "-s", "-u", "-a", "-E", "-I", "-O", "-P", "-S", "-X"] }],
  ["chroot", { valued: [], operands: 1 }],
  ["chrt", { operands: 1 }],
  ["gosu", { operands: 1 }],
  ["su-exec", { operands: 1 }],
  ["systemd-run", { valued: ["-u", "-p", "-E", "-M", "-H", "--unit", "--property"] }],
  ["firejail", {}],
  ["torsocks", {}],
  ["proxychains4", { valued: ["-f"] }],
  ["unbuffer", {}],
  ["valgrind", {}],
  ["xvfb-run", { valued: ["-n", "-s", "-e", "-f"] }],
  ["dbus-run-session", {}],
  ["prlimit", {}],
  ["setarch", {}],
  ["entr", {}],
  [
    "ssh",
    {
      valued: "BbcDEeFIiJLlmOopQRSWw".split("").map((letter) => `-${letter}`),
      operands: 1,
      joins: true,
    },
  ],
]);

/** Shells, opaque when a program is given as text. */
export const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish"]);

/** A program that runs other programs given as text. */
interface Interpreter {
  readonly names: RegExp;
  /** The option, or the subcommand, that takes the text. */
  readonly program: RegExp;
  /** Options before it that take the next word as their value. */
  readonly valued: readonly string[];
}

export const INTERPRETERS: readonly Interpreter[] = [
  {
    names: /^(?:python|pypy)[\d.]*$/,
    program: /^-[bBdEhiIOqsSuvVx]*c/,
    valued: ["-W", "-X"],
  },
  {
    names: /^(?:node|nodejs|bun|deno)$/,
    program: /^(?:-[a-z]*[ep]|--eval|--print|eval)(?:=|$)/,
    valued: ["-r", "--require", "--import", "--loader", "-C", "--conditions"],
  },
  { names: /^perl[\d.]*$/, program: /^-[acfFgilnpsStTuUvwWX0-9]*[eE]/, valued: ["-I"] },
  { names: /^ruby[\d.]*$/, program: /^-[alnpsSvwW0-9]*e/, valued: ["-r", "-I", "-C"] },
  { names: /^php[\d.]*$/, program: /^-[a-z]*[rBRE]/, valued: ["-d", "-c", "-z"] },
  {
    names: /^(?:lua|luajit|Rscript|R|osascript|julia|elixir)[\d.]*$/,
    program: /^-[eE]|^--eval/,
    valued: ["-l"],
  },
];

/** Commands that run others for what they find, by the options that do. */
export const FINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["find", ["-exec", "-execdir", "-ok", "-okdir"]],
  ["fd", ["-x", "-X", "--exec", "--exec-batch"]],
  ["fdfind", ["-x", "-X", "--exec", "--exec-batch"]],
]);
