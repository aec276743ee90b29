import type { ToolCall } from "../../src/ask/tool-call.ts";
import type { PermissionAction, PermissionEntry, PolicySources } from "../../src/policy/sources.ts";

/** Rules besides those of programs: what {@link rulesOf} holds at least. */
const FIXED = 8;

/**
 * As many rules as said, all of them in question for a shell call: of programs, one in ten with an open beginning, so
 * that it has to be tried on every text; a few of paths, and those that allow the calls below.
 */
export function rulesOf(count: number): PolicySources {
  const programs = Array.from({ length: count - FIXED }, (_, i): [string, PermissionAction] => {
    const name = `program-${String(i)}`;
    return i % 10 === 0 ? [`* --with-${name} *`, "deny"] : [`${name} *`, "allow"];
  });
  return {
    global: new Map<string, PermissionEntry>([
      ["*", "ask"],
      [
        "path",
        new Map<string, PermissionAction>([
          ["*", "allow"],
          ["*.env", "deny"],
          ["~/.ssh/*", "deny"],
        ]),
      ],
      [
        "bash",
        new Map<string, PermissionAction>([
          ["cargo test *", "allow"],
          ["tail *", "allow"],
          ["cd *", "allow"],
          ...programs,
          ["rm -rf *", "deny"],
        ]),
      ],
    ]),
  };
}

/** A shell call as agents make them: a folder, a program with its options, a redirect, a pipe. */
export function typicalCall(n: number, cwd: string): ToolCall {
  const test = `cargo test --workspace --features "http tls" -p server-${String(n)}`;
  return { toolName: "bash", input: { command: `cd bench && ${test} 2>&1 | tail -n 40` }, cwd };
}

/** A shell call of this many commands in a row. */
export function chainedCall(n: number, cwd: string, units: number): ToolCall {
  const tests = Array.from(
    { length: units },
    (_, i) => `cargo test -p server-${String(n)} --features "part-${String(i)}"`,
  );
  return { toolName: "bash", input: { command: tests.join(" && ") }, cwd };
}
