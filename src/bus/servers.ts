const DEFAULT_PORT = 4222;
const FORM = /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<place>[^/?#\s]+)\/?$/i;

/** Servers as the client library takes them, and as an error may show them. */
export interface ServerList {
  /** `host:port` each. */
  readonly addresses: readonly string[];
  readonly shown: string;
  /** True when one of them was given as `tls://`. */
  readonly demandTls: boolean;
}

/**
 * Reads server addresses; what is wrong with them goes to `faults`, without anything that may be a secret.
 *
 * @param named - What a fault calls the list.
 */
export function readServers(
  given: string | readonly string[],
  faults: string[],
  named = "servers",
): ServerList {
  const list = typeof given === "string" ? [given] : given;
  if (list.length === 0)
    faults.push(`${named} is empty; name at least one, such as nats://127.0.0.1:4222.`);
  const addresses: string[] = [];
  const shown: string[] = [];
  let demandTls = false;
  for (const [place, text] of list.entries()) {
    const server = readServer(text);
    if (typeof server === "string")
      faults.push(`${list.length === 1 ? named : `${named}[${String(place)}]`} ${server}`);
    else {
      addresses.push(server.address);
      shown.push(`${server.scheme}://${server.address}`);
      demandTls ||= server.scheme === "tls";
    }
  }
  return { addresses, shown: shown.join(", "), demandTls };
}

function readServer(text: string): { readonly scheme: string; readonly address: string } | string {
  if (text.includes("@")) {
    return "holds credentials; a secret never stands in a URL. Give it as token, user and pass, or creds.";
  }
  const parts = FORM.exec(text)?.groups;
  const scheme = (parts?.["scheme"] ?? "nats").toLowerCase();
  if (scheme === "ws" || scheme === "wss")
    return "is a websocket; name the server's nats:// or tls:// port.";
  const address =
    scheme === "nats" || scheme === "tls" ? readAddress(parts?.["place"] ?? "") : null;
  if (address !== null) return { scheme, address };
  return `is ${JSON.stringify(text)}; it must look like nats://host:4222, tls://host:4222 or host:4222.`;
}

function readAddress(place: string): string | null {
  if (!URL.canParse(`nats://${place}`)) return null;
  const { hostname, port } = new URL(`nats://${place}`);
  if (hostname === "" || port === "0") return null;
  return `${hostname}:${port === "" ? String(DEFAULT_PORT) : port}`;
}
