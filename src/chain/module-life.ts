import { Worker } from "node:worker_threads";
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { LinkQuery, LinkVerdict, Log } from "../ask/ports.ts";
import { LinkVacantError, wordsOf } from "./link-failure.ts";
import type { FromModule, ModuleStart, ToModule } from "./module-messages.ts";

/** How long a thread may take to say that it lives, in milliseconds. */
const LIFE_SIGN_MS = 1_000;

/** Most memory of a module's objects, in megabytes. */
const MOST_MEGABYTES = 256;

/** What a thread is started with. */
export interface ThreadOptions extends ModuleStart {
  /** The whole environment of the thread. */
  readonly env: Readonly<Record<string, string>>;
  /** Where output of the module goes that belongs to no ask. */
  readonly log: Log;
}

/** One ask of a module. */
export interface ModuleQuestion {
  readonly details: PromptPermissionDetails;
  readonly query: LinkQuery;
  readonly log: Log;
}

/** A module in its thread. */
export interface ModuleThread {
  /** Resolves when the module is loaded; rejects with {@link LinkVacantError} when it cannot be. */
  readonly ready: Promise<void>;
  /** Rejects when the module fails at it, when `signal` is aborted and when the thread ends. */
  ask(question: ModuleQuestion, signal: AbortSignal): Promise<LinkVerdict>;
  /** Says whether it has ended. */
  over(): boolean;
  /** Ends it; everything it holds rejects with `why`. */
  end(why: Error): Promise<void>;
}

interface OpenAsk extends ModuleQuestion {
  readonly settle: PromiseWithResolvers<LinkVerdict>;
}

/** The file of the thread beside this one, in the form this one is in. */
const THREAD = new URL(
  import.meta.url.endsWith(".ts") ? "./module-thread.ts" : "./module-thread.js",
  import.meta.url,
);

/** Starts a thread with the module in it. */
export function startThread(options: ThreadOptions): ModuleThread {
  const { name, file, env, log } = options;
  const worker = new Worker(THREAD, {
    workerData: { name, file, options: options.options } satisfies ModuleStart,
    env,
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  const ready = Promise.withResolvers<void>();
  // Whoever asks hears of it; until then nobody may be listening.
  ready.promise.catch(() => undefined);
  const open = new Map<number, OpenAsk>();
  let last = 0;
  let over = false;
  let lifeSign: NodeJS.Timeout | null = null;

  const say = (message: ToModule): void => {
    if (!over) worker.postMessage(message);
  };
  const fall = (why: Error): void => {
    over = true;
    if (lifeSign !== null) clearTimeout(lifeSign);
    ready.reject(why instanceof LinkVacantError ? why : new LinkVacantError(wordsOf(why)));
    for (const { settle } of open.values()) settle.reject(why);
    open.clear();
  };
  const end = async (why: Error): Promise<void> => {
    fall(why);
    await worker.terminate();
  };
  /** A thread that is busy with itself answers nothing, and would hold every later ask up. */
  const askForLife = (): void => {
    if (over || lifeSign !== null) return;
    say({ kind: "ping" });
    lifeSign = setTimeout(() => {
      end(new Error("its module answers nothing any more")).catch(() => undefined);
    }, LIFE_SIGN_MS);
  };
  const hear = (message: FromModule): void => {
    if (message.kind === "ready") return ready.resolve();
    if (message.kind === "vacant") {
      end(new LinkVacantError(message.why)).catch(() => undefined);
      return;
    }
    if (message.kind === "pong") {
      if (lifeSign !== null) clearTimeout(lifeSign);
      lifeSign = null;
      return;
    }
    const asked = open.get(message.ask);
    if (message.kind === "query") {
      void answerQuery(asked, message).then(say);
    } else if (message.kind === "log") asked?.log[message.level](message.fields, message.text);
    else if (message.kind === "failed") asked?.settle.reject(new Error(message.why));
    // Read once more by whoever asked: a module is not believed to send a verdict.
    else asked?.settle.resolve(message.verdict as LinkVerdict);
  };
  worker.on("message", (message: FromModule) => {
    try {
      hear(message);
    } catch (error) {
      end(new Error("its module said something unreadable", { cause: error })).catch(
        () => undefined,
      );
    }
  });
  worker.on("error", (error) => fall(new Error(`its module failed: ${wordsOf(error)}`)));
  worker.on("messageerror", () => fall(new Error("its module said something unreadable")));
  worker.on("exit", () => fall(new Error("its module ended its thread")));
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding("utf8").on("data", (output: string) => {
      log.debug({ link: name, output: output.slice(0, 1_000) }, "the module of a link wrote");
    });
  }
  worker.unref();

  return {
    ready: ready.promise,
    over: () => over,
    end,
    ask: async (question, signal) => {
      if (over) throw new Error("its module ended its thread");
      last += 1;
      const ask = last;
      const settle = Promise.withResolvers<LinkVerdict>();
      open.set(ask, { ...question, settle });
      const abort = (): void => {
        say({ kind: "abort", ask, why: wordsOf(signal.reason) });
        settle.reject(new Error("the ask was taken back"));
        askForLife();
      };
      signal.addEventListener("abort", abort, { once: true });
      say({ kind: "ask", ask, details: question.details });
      try {
        return await settle.promise;
      } finally {
        open.delete(ask);
        signal.removeEventListener("abort", abort);
      }
    },
  };
}

async function answerQuery(
  asked: OpenAsk | undefined,
  { query, surface, value }: FromModule & { kind: "query" },
): Promise<ToModule> {
  try {
    const answer = (await asked?.query.checkPermission(surface, value)) ?? null;
    return { kind: "rules", query, answer };
  } catch {
    return { kind: "rules", query, answer: null };
  }
}
