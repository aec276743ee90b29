import type { Link } from "../ask/ports.ts";
import { LinkVacantError, wordsOf } from "./link-failure.ts";
import { type ModuleThread, startThread, type ThreadOptions } from "./module-life.ts";

/** How long a module that could not be loaded is not tried again, in milliseconds. */
const TRY_AGAIN_MS = 5_000;

/** A link that is an ES module. */
export interface ModuleLinkOptions extends ThreadOptions {
  readonly timeoutMs?: number;
  /** Milliseconds that only ever grow. */
  readonly monotonic: () => number;
}

/** A module that can be asked, until it is closed. */
export interface ModuleLink extends Link {
  /** Loads it before anybody asks; why it is vacant, or null. Never rejects. */
  load(): Promise<string | null>;
  /** Ends its thread; what it holds then fails. */
  close(): Promise<void>;
}

/**
 * Makes a link of a module. It runs in a thread of its own, which is ended when it answers nothing any more, also
 * not that it lives; the next ask starts another.
 */
export function moduleLink(options: ModuleLinkOptions): ModuleLink {
  const { name, timeoutMs, monotonic } = options;
  let thread: ModuleThread | null = null;
  let failed: { readonly why: string; readonly at: number } | null = null;
  let closed = false;

  async function running(): Promise<ModuleThread> {
    if (closed) throw new LinkVacantError("the link is closed");
    if (thread?.over() === false) return thread;
    if (failed !== null && monotonic() - failed.at < TRY_AGAIN_MS) {
      throw new LinkVacantError(failed.why);
    }
    const started = startThread(options);
    thread = started;
    try {
      await started.ready;
      failed = null;
      return started;
    } catch (error) {
      failed = { why: wordsOf(error), at: monotonic() };
      throw error;
    }
  }

  return {
    name,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    judge: async (details, query, log, signal) => {
      const asked = await running();
      await asked.ready;
      signal.throwIfAborted();
      return asked.ask({ details, query, log }, signal);
    },
    load: async () => {
      try {
        await (await running()).ready;
        return null;
      } catch (error) {
        return wordsOf(error);
      }
    },
    close: async () => {
      closed = true;
      await thread?.end(new Error("the link is closed"));
    },
  };
}
