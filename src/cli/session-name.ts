import type { Speaker } from "./connection.ts";
import { CommandError } from "./failure.ts";
import type { Io } from "./io.ts";

/**
 * The session a command speaks as: by flag, environment, or the credential it was issued to.
 *
 * @throws {@link CommandError} when nothing names one.
 */
export function readSession(
  flag: string | undefined,
  io: Pick<Io, "env">,
  issued: () => Speaker | null = () => null,
): string {
  const session = flag || io.env["ASKFABRIC_SESSION"];
  if (session) return session;
  const speaker = issued();
  if (speaker?.role === "session") return speaker.name;
  throw new CommandError("no session is named; give --session or set ASKFABRIC_SESSION");
}

/** What names the session that answers. */
export interface ParentNames {
  readonly flag: string | readonly string[] | undefined;
  /** Parents of the configuration, in their order. */
  readonly configured: readonly string[];
  readonly session: string;
}

/** The session that answers, and what was passed over. */
export interface FoundParent {
  /** Null when nothing names one: every ask then ends as `no_target`. */
  readonly parent: string | null;
  /** Those that are asked after it, in this order. */
  readonly others: readonly string[];
  /** True when the environment named the session itself: a root inherits its own mark. */
  readonly ownMarkIgnored: boolean;
}

/** Finds the session that answers: flag, environment, configuration. */
export function findParent(names: ParentNames, io: Pick<Io, "env">): FoundParent {
  const flags = [names.flag ?? []].flat().filter((parent) => parent !== "");
  const [given, ...afterGiven] = flags;
  if (given !== undefined) return { parent: given, others: afterGiven, ownMarkIgnored: false };
  const mark = io.env["ASKFABRIC_PARENT"];
  if (mark && mark !== names.session) return { parent: mark, others: [], ownMarkIgnored: false };
  const [first, ...others] = names.configured.filter((parent) => parent !== names.session);
  return { parent: first ?? null, others, ownMarkIgnored: mark === names.session };
}
