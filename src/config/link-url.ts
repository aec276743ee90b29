/**
 * Says whether an endpoint may be asked: `https:`, or `http:` to this machine's own loopback, and no name or
 * password in it. What a link is asked about is not for whoever listens on the way.
 */
export function isLinkUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** The parser writes every form of an IPv4 address with four numbers, and IPv6 in its shortest form. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
