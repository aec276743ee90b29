import type { ToolCall } from "../../src/ask/tool-call.ts";
import type { PermissionAction, PermissionEntry, PolicySources } from "../../src/policy/sources.ts";

/** Sessions of every row that asks. */
export const CHILD = "worker";
/** The session that answers. */
export const PARENT = "lead";
/** A session between the two, and the child that asks it. */
export const RELAY = "middle";
export const FAR_CHILD = "far-worker";

/** Names of a child and a parent between whom decisions are signed. */
export const SIGNED_CHILD = "signed-worker";
export const SIGNED_PARENT = "signed-lead";

/** Bytes of the body that the call below makes, and of the answer to it: what the raw messages carry. */
export const ASK_BYTES = 2048;
export const ANSWER_BYTES = 512;

/** The shell call number `n`, like no other; its ask is {@link ASK_BYTES} long, give or take a few per cent. */
export function callOf(n: number): ToolCall {
  const features = "http,tls,".repeat(23);
  return {
    toolName: "bash",
    input: {
      command: `cargo test --workspace --locked --features ${features}json -p server-${String(n)}`,
      timeout: 120_000,
    },
    cwd: "/srv/checkouts/service",
  };
}

const PROGRAMS: readonly (readonly [string, PermissionAction])[] = Array.from(
  { length: 40 },
  (_, i) => [`program-${String(i)} *`, "allow"],
);

/** Rules of the parent: what a project of some size has, and the one that allows the call. */
export const RULES: PolicySources = {
  global: new Map<string, PermissionEntry>([
    ["*", "ask"],
    [
      "bash",
      new Map<string, PermissionAction>([
        ...PROGRAMS,
        ["rm -rf *", "deny"],
        ["cargo test *", "allow"],
      ]),
    ],
  ]),
};
