import { execFileSync } from "node:child_process";

/** Machines of their own so far as the network goes, joined by links of their own. */
export interface Namespaces extends Disposable {
  readonly addresses: readonly string[];
  /** The command that runs another one on a machine. */
  within(place: number): readonly string[];
  /** Drops what other machines say to one, or what it says to them; this machine is still heard. */
  part(place: number, ways: readonly ("in" | "out")[]): void;
  heal(place: number): void;
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] });
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is gone already.
  }
}

/**
 * Makes them. They go with the scope, and with this process however it ends in order.
 *
 * @throws Error where this user may make none: it takes root.
 */
export function openNamespaces(count: number): Namespaces {
  const mark = `st${String(process.pid)}`;
  const net = `10.213.${String(process.pid % 250)}`;
  const places = Array.from({ length: count }, (_, place) => place);
  const nameOf = (place: number): string => `${mark}n${String(place)}`;
  const addressOf = (place: number): string => `${net}.${String(place + 1)}`;
  const filter = (place: number, ...rule: readonly string[]): void =>
    ip("netns", "exec", nameOf(place), "iptables", ...rule);
  const here = `${net}.254`;
  /** Two machines side by side: no bridge, whose rules are this machine's own. */
  const wire = (one: number, other: number): void => {
    const [near, far] = [`to${String(other)}`, `to${String(one)}`];
    const [from, to] = [nameOf(one), nameOf(other)];
    ip("-n", from, "link", "add", near, "type", "veth", "peer", "name", far, "netns", to);
    ip("-n", from, "link", "set", near, "up");
    ip("-n", to, "link", "set", far, "up");
    ip("-n", from, "route", "add", addressOf(other), "dev", near, "src", addressOf(one));
    ip("-n", to, "route", "add", addressOf(one), "dev", far, "src", addressOf(other));
  };
  const remove = (): void => {
    for (const place of places) quietly(() => ip("netns", "del", nameOf(place)));
  };
  process.once("exit", remove);
  try {
    for (const place of places) {
      const name = nameOf(place);
      const outer = `${mark}v${String(place)}`;
      ip("netns", "add", name);
      ip("-n", name, "link", "set", "lo", "up");
      ip("-n", name, "addr", "add", `${addressOf(place)}/32`, "dev", "lo");
      ip("link", "add", outer, "type", "veth", "peer", "name", "out", "netns", name);
      ip("addr", "add", `${here}/32`, "dev", outer);
      ip("link", "set", outer, "up");
      ip("-n", name, "link", "set", "out", "up");
      ip("route", "add", `${addressOf(place)}/32`, "dev", outer, "src", here);
      ip("-n", name, "route", "add", `${here}/32`, "dev", "out", "src", addressOf(place));
      for (const other of places.slice(0, place)) wire(place, other);
    }
  } catch (error) {
    remove();
    throw new Error(
      `machines of their own cannot be made here: ${String(error)}; it takes root and the programs ip and iptables`,
      { cause: error },
    );
  }
  return {
    addresses: places.map(addressOf),
    within: (place) => ["ip", "netns", "exec", nameOf(place)],
    part: (place, ways) => {
      for (const other of places) {
        if (other === place) continue;
        const address = addressOf(other);
        if (ways.includes("in")) filter(place, "-A", "INPUT", "-s", address, "-j", "DROP");
        if (ways.includes("out")) filter(place, "-A", "OUTPUT", "-d", address, "-j", "DROP");
      }
    },
    heal: (place) => filter(place, "-F"),
    [Symbol.dispose]: () => {
      process.removeListener("exit", remove);
      remove();
    },
  };
}
