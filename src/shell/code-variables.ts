import type { Assignment, ShellWord } from "./reader.ts";

/** Variables whose values are run, loaded or searched by the shell or by common programs, or change what it finds. */
const CODE = new Set(
  [
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "PS0",
    "PS4",
    "SHELLOPTS",
    "BASHOPTS",
    "PATH",
    "GLOBIGNORE",
  ].concat(
    ["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"],
    [
      "PERL5OPT",
      "PERL5DB",
      "PERL5LIB",
      "RUBYOPT",
      "PYTHONSTARTUP",
      "PYTHONHOME",
      "JAVA_TOOL_OPTIONS",
    ],
    ["GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS"],
    ["GIT_EXEC_PATH", "GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_TEMPLATE_DIR"],
    ["SSH_ASKPASS", "SUDO_ASKPASS", "BROWSER", "LESSOPEN", "LESSCLOSE", "MAKEFLAGS", "SHELL"],
    ["RUSTC_WRAPPER", "CC", "CXX", "LD", "NODE_PATH", "npm_config_script_shell"],
  ),
);

/** Variables that name a program, which is mostly one of a few. */
const PROGRAMS = new Set(
  ["PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER", "AWS_PAGER", "EDITOR", "VISUAL"].concat([
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "KUBE_EDITOR",
    "FCEDIT",
  ]),
);

const HARMLESS = /^(?:|cat|less|more|true|:|vi|vim|nano)$/;

function isHarmless({ text, elsewhere }: ShellWord): boolean {
  return HARMLESS.test(text) && elsewhere === null;
}

/** Options of Node that load or run code. */
const NODE_CODE = /(?:^|\s)(?:-[rep]|--(?:require|import|loader|experimental-loader|eval|print))/;

/** Says whether a value that is set for a command is code that the command will run. */
export function startsCode({ name, word }: Assignment): boolean {
  if (CODE.has(name) || /^(?:GIT_CONFIG_(?:KEY|VALUE)_|BASH_FUNC)/.test(name)) return true;
  if (PROGRAMS.has(name)) return word?.literal !== true || !isHarmless(word);
  if (name !== "NODE_OPTIONS") return false;
  return word === null || !word.literal || NODE_CODE.test(word.text);
}
