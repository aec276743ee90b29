import { CommandError } from "./failure.ts";
import type { Io } from "./io.ts";

/** The session a command speaks as. @throws {@link CommandError} when nothing names one. */
export function readSession(flag: string | undefined, io: Pick<Io, "env">): string {
  const session = flag || io.env["ASKFABRIC_SESSION"];
  if (session) return session;
  throw new CommandError("no session is named; give --session or set ASKFABRIC_SESSION");
}

/** What names the session that answers. */
export interface ParentNames {
  readonly flag: string | undefined;
  /** Parents of the configuration, in their order. */
  readonly configured: readonly string[];
  readonly session: string;
}

/** The session that answers, and what was passed over. */
export interface FoundParent {
  /** Null when nothing names one: every ask then ends as `no_target`. */
  readonly parent: string | null;
  /** True when the environment named the session itself: a root inherits its own mark. */
  readonly ownMarkIgnored: boolean;
}

/** Finds the session that answers: flag, environment, configuration. */
export function findParent(names: ParentNames, io: Pick<Io, "env">): FoundParent {
  if (names.flag) return { parent: names.flag, ownMarkIgnored: false };
  const mark = io.env["ASKFABRIC_PARENT"];
  if (mark && mark !== names.session) return { parent: mark, ownMarkIgnored: false };
  const [first] = names.configured.filter((parent) => parent !== names.session);
  return { parent: first ?? null, ownMarkIgnored: mark === names.session };
}
