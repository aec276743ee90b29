import type { AccessPath } from "../ask/facts.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import type { PathFacts } from "./path-facts.ts";
import type { ShellCall } from "./shell-call.ts";

/** A tool call with what the machine knows of it. */
export interface DescribedCall {
  readonly call: ToolCall;
  /** Null when the tool is not a shell. */
  readonly shell: ShellCall | null;
  /** Every path of the call, in the order of its input. */
  readonly paths: readonly PathFacts[];
  /** The same for other nodes; null when nothing is known about the paths of the tool. */
  readonly access: readonly AccessPath[] | null;
  readonly display: { readonly surface: string; readonly value: string };
}
