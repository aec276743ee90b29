import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** How long a role may take to end, in milliseconds. */
const END_MS = 5000;

const ROLES = new URL("../roles/", import.meta.url);

/** A program of `bench/roles` in a process of its own. Leaving its scope ends it. */
export interface Role extends AsyncDisposable {
  readonly pid: number;
  /** Has the role do one of its works and gives what came of it. */
  ask<T>(work: string, input?: unknown): Promise<T>;
}

interface Reply {
  readonly id: number;
  readonly output?: unknown;
  readonly error?: string;
}

/** Starts a role and waits until it is ready. */
export async function startRole(file: string, options: object): Promise<Role> {
  const child = fork(fileURLToPath(new URL(file, ROLES)), [JSON.stringify(options)]);
  const waiting = new Map<number, (reply: Reply) => void>();
  let asked = 0;
  const ended = once(child, "exit").then(() => {
    for (const [id, settle] of waiting) settle({ id, error: `${file} ended` });
  });
  child.on("message", (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  const answer = async (id: number): Promise<Reply> =>
    new Promise((resolve) => waiting.set(id, resolve));
  const ask = async <T>(work: string, input?: unknown): Promise<T> => {
    const id = ++asked;
    const reply = answer(id);
    child.send({ id, work, input });
    const { output, error } = await reply;
    if (error !== undefined) throw new Error(`${file} failed at ${work}: ${error}`);
    return output as T;
  };
  const ready = await answer(0);
  if (ready.error !== undefined) throw new Error(`${file} did not start: ${ready.error}`);
  return {
    pid: child.pid ?? -1,
    ask,
    [Symbol.asyncDispose]: async () => {
      // Without its channel a role ends by itself, so that `NODE_OPTIONS=--cpu-prof` leaves its profile.
      if (child.connected) child.disconnect();
      const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
