import type { OpenAskHead, OpenState, ShownAsk } from "../../ask/control.ts";
import type { HeldBy } from "../../ask/messages.ts";

/** An open ask, and the session that serves it. */
export interface PendingAsk extends OpenAskHead {
  readonly session: string;
}

/** An open ask of a session, as `pending list` shows it. */
export interface PendingLine {
  readonly pending: PendingAsk;
}

/** An open ask that is gone, as `pending watch` tells it. */
export interface GoneLine {
  readonly gone: { readonly session: string; readonly requestId: string };
}

/** An ask as a person is shown it, as `pending show` prints it. */
export interface ShownLine {
  readonly shown: {
    readonly session: string;
    readonly requestId: string;
    /** Names exactly what is shown here; an answer needs it. */
    readonly digest: string;
    readonly state: OpenState;
    readonly heldBy: HeldBy | null;
    readonly childGone?: true;
    /** Epoch milliseconds on the session's clock. */
    readonly expiresAt: number;
    readonly ask: ShownAsk;
  };
}
