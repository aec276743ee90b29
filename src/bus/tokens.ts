import { fleetPrefix, isSubjectPrefix } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";

/**
 * The token under which a session, an operator or an agent name stands in subjects and credentials.
 *
 * @throws TypeError when the name holds a lone surrogate.
 */
export function sessionToken(name: string): string {
  return encodeToken(name);
}

/** The name that a token was made of; the token itself where that is only the digest of a longer name. */
export function tokenName(token: string): string {
  if (token === "=") return "";
  if (!token.includes("=") || token.startsWith("=h")) return token;
  const bytes = token.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/**
 * The subject prefix of a fleet, `af.v1.<fleet>`, or the configured one where it is given.
 *
 * @throws RangeError when the configured prefix is not 1 to 4 encoded tokens.
 */
export function subjectPrefix(fleet: string, configured?: string): string {
  if (configured === undefined) return fleetPrefix(fleet);
  if (isSubjectPrefix(configured)) return configured;
  throw new RangeError(
    `subjectPrefix ${JSON.stringify(configured)} is not 1 to 4 tokens of A-Z a-z 0-9 _ - joined by dots; use a name such as "af.v1.default"`,
  );
}
