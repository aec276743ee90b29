import type { Link } from "../ask/ports.ts";

/** Links by name. Registering grants nothing: a link is asked only when the configured chain names it. */
export interface LinkRegistry {
  /**
   * Adds a link and returns the way to take this very link out again; later calls of it do nothing, also when
   * another link of the name was registered meanwhile.
   *
   * @throws Error when the name is taken.
   */
  register(link: Link): () => void;
  find(name: string): Link | undefined;
  names(): readonly string[];
}

/** Makes an empty registry, or one with `links` in it. */
export function createLinkRegistry(links: readonly Link[] = []): LinkRegistry {
  const byName = new Map<string, Link>();
  const registry: LinkRegistry = {
    register(link) {
      if (byName.has(link.name)) {
        throw new Error(
          `link "${link.name}" is registered already; dispose the first one or choose another name`,
        );
      }
      byName.set(link.name, link);
      return () => {
        if (byName.get(link.name) === link) byName.delete(link.name);
      };
    },
    find: (name) => byName.get(name),
    names: () => [...byName.keys()],
  };
  for (const link of links) registry.register(link);
  return registry;
}
