/**
 * Runs the module of one link, in a thread of its own: what it does to the thread's memory, output and time
 * reaches nobody else, and it can be ended at any instant.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { CreateLink, Link, LinkQuery, LinkRuleAnswer, Log } from "../ask/ports.ts";
import { LinkVacantError, wordsOf } from "./link-failure.ts";
import type { FromModule, ModuleStart, ToModule } from "./module-messages.ts";
import { readVerdict } from "./read-verdict.ts";

if (parentPort !== null) await serve(parentPort, workerData as ModuleStart);

async function serve(port: MessagePort, start: ModuleStart): Promise<void> {
  const say = (message: FromModule): void => port.postMessage(message);
  let link: Pick<Link, "judge">;
  try {
    link = await load(start);
  } catch (error) {
    say({ kind: "vacant", why: wordsOf(error) });
    return;
  }
  const open = new Map<number, AbortController>();
  const queries = openQueries(say);
  port.on("message", (message: ToModule) => {
    if (message.kind === "ping") say({ kind: "pong" });
    else if (message.kind === "rules") queries.answer(message.query, message.answer);
    else if (message.kind === "abort") open.get(message.ask)?.abort(new Error(message.why));
    else void judge(message);
  });
  say({ kind: "ready" });

  async function judge({ ask, details }: ToModule & { kind: "ask" }): Promise<void> {
    const abort = new AbortController();
    open.set(ask, abort);
    try {
      const said: unknown = await link.judge(details, queries.of(ask), logOf(ask), abort.signal);
      // Only what is a verdict can be counted on to cross over to the other thread.
      say({ kind: "verdict", ask, verdict: readVerdict(said) });
    } catch (error) {
      say({ kind: "failed", ask, why: wordsOf(error) });
    } finally {
      open.delete(ask);
    }
  }

  function logOf(ask: number): Log {
    const at =
      (level: keyof Log) =>
      (fields: object, text: string): void =>
        say({ kind: "log", ask, level, fields: plain(fields), text: text.slice(0, 1_000) });
    return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  }
}

async function load({ file, name, options }: ModuleStart): Promise<Pick<Link, "judge">> {
  const loaded = (await import(file)) as { readonly createLink?: CreateLink };
  if (typeof loaded.createLink !== "function") {
    throw new LinkVacantError('the module exports no function "createLink"');
  }
  const link: unknown = await loaded.createLink({ name, options });
  if (typeof link === "object" && link !== null && "judge" in link) {
    if (typeof link.judge === "function") return link as Pick<Link, "judge">;
  }
  throw new LinkVacantError('"createLink" of the module gave nothing with a function "judge"');
}

interface Queries {
  of(ask: number): LinkQuery;
  answer(query: number, answer: LinkRuleAnswer | null): void;
}

function openQueries(say: (message: FromModule) => void): Queries {
  const waiting = new Map<number, PromiseWithResolvers<LinkRuleAnswer>>();
  let last = 0;
  return {
    of: (ask) => ({
      checkPermission: async (surface, value) => {
        last += 1;
        const answered = Promise.withResolvers<LinkRuleAnswer>();
        waiting.set(last, answered);
        say({ kind: "query", ask, query: last, surface, value });
        return answered.promise;
      },
    }),
    answer: (query, answer) => {
      const asked = waiting.get(query);
      waiting.delete(query);
      if (answer === null) asked?.reject(new Error("the ask has ended"));
      else asked?.resolve(answer);
    },
  };
}

/** What a module logs may be anything; only data crosses over. */
function plain(fields: object): object {
  try {
    return JSON.parse(JSON.stringify(fields)) as object;
  } catch {
    return {};
  }
}
