import type { Log } from "../ask/ports.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { Parent } from "../parent/parent.ts";
import type { Io } from "./io.ts";
import { type LoadedLinks, linksDigest, loadLinks } from "./load-links.ts";

/** The links of a serving program, which change with its configuration. */
export interface FollowedLinks extends AsyncDisposable {
  readonly links: LoadedLinks["links"];
  /** Puts the links of another configuration in the place of these, unless they are the same. */
  follow(config: LoadedConfig, parent: Pick<Parent, "setLinks">): void;
}

/** Opens the links of a configuration. */
export async function followLinks(config: LoadedConfig, io: Io, log: Log): Promise<FollowedLinks> {
  const first = await loadLinks(config, io, log);
  let standing = first;
  let digest = linksDigest(config);
  // One after the other: the last configuration read is the one that stays.
  let changing = Promise.resolve();
  let closed = false;

  async function change(next: LoadedConfig, parent: Pick<Parent, "setLinks">): Promise<void> {
    const wanted = linksDigest(next);
    if (closed || wanted === digest) return;
    const loaded = await loadLinks(next, io, log);
    const before = standing;
    parent.setLinks(loaded.links);
    standing = loaded;
    digest = wanted;
    log.info({ chain: loaded.links.authorizerChain }, "other links are asked from now on");
    await before[Symbol.asyncDispose]();
  }

  async function changeAfter(
    before: Promise<void>,
    next: LoadedConfig,
    parent: Pick<Parent, "setLinks">,
  ): Promise<void> {
    await before;
    try {
      await change(next, parent);
    } catch (error) {
      log.error({ error }, "the links that stood before stay");
    }
  }

  return {
    links: first.links,
    follow: (next, parent) => {
      changing = changeAfter(changing, next, parent);
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      await changing;
      await standing[Symbol.asyncDispose]();
    },
  };
}

/** The chain of a session that relays: its links are named on the records, and none is opened. */
export function nameLinks({ options }: LoadedConfig): FollowedLinks {
  const linksOf = ({
    authorizerChain,
    linkTimeoutMs,
  }: LoadedConfig["options"]): LoadedLinks["links"] => ({
    links: [],
    authorizerChain,
    linkTimeoutMs,
  });
  return {
    links: linksOf(options),
    follow: (next, parent) => parent.setLinks(linksOf(next.options)),
    [Symbol.asyncDispose]: async () => Promise.resolve(),
  };
}
