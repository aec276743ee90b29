import type { Bus } from "../bus/bus.ts";
import { openUpstream } from "../child/open-upstream.ts";
import type { ParentOptions } from "../parent/parent.ts";
import { CommandError } from "./failure.ts";
import type { Io } from "./io.ts";
import type { Prepared } from "./prepare.ts";

/** Flags of `serve` that say whether it relays. */
export interface RelayFlags {
  /** The session that this one asks in its turn; absent when it decides itself. */
  readonly parent?: string;
  readonly terminal: string;
  /** Whether the command line names the terminal. */
  readonly terminalNamed: boolean;
}

/**
 * The session that a serving session asks in its turn: by its flag alone, since a mark of the environment may be
 * that of the agent it was started by. Null when it decides itself.
 *
 * @throws {@link CommandError} when the flags contradict each other.
 */
export function readUpstream(flags: RelayFlags, session: string): string | null {
  const { parent, terminal, terminalNamed } = flags;
  if (parent === undefined) return null;
  if (parent === "") throw new CommandError("--parent names no session; give one, or leave it out");
  if (parent === session) {
    throw new CommandError(
      `--parent names ${session}, which is the session to be served; name the session that it asks, or leave --parent out`,
    );
  }
  if (terminalNamed) {
    throw new CommandError(
      `--parent and --terminal ${terminal} are both given; with --parent what rules leave open goes to ${parent}, and nobody is asked here: leave one of them out`,
    );
  }
  return parent;
}

/** What a served session is opened with so that it asks `parent` in its turn; nothing when it decides itself. */
export function upstreamTo(
  parent: string | null,
  of: Pick<Prepared, "config" | "log"> & {
    readonly io: Pick<Io, "clock">;
    readonly bus: Bus;
    readonly session: string;
  },
): Pick<ParentOptions, "upstream"> {
  if (parent === null) return {};
  const { io, bus, session, config, log } = of;
  const { unservedGraceMs, reviewLogFieldMaxWidth } = config.options;
  const { clock } = io;
  const given = { bus, session, parent, unservedGraceMs, reviewLogFieldMaxWidth, clock, log };
  return { upstream: async (journal) => Promise.resolve(openUpstream({ ...given, journal })) };
}
