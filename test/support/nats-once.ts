import { testServer } from "./nats-servers.ts";

/** Finds a nats-server, or fetches one into the cache, before any test needs it. */
export async function setup(): Promise<void> {
  await testServer();
}
