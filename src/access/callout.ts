import { z } from "zod";
import { type SigningKey, signatureMatches } from "../wire/nkey.ts";
import { encodeToken } from "../wire/token.ts";
import { keyPairOf } from "./key-pair.ts";
import { jwtRights, rightsOf } from "./rights.ts";
import { ACCOUNT_NAMES, ACCOUNT_OF } from "./roles.ts";
import { counts, prefixOf, type Roster, type RosterEntry } from "./roster.ts";

/** What a server asks: may this connection speak, and as whom? */
const requestSchema = z.object({
  iss: z.string(),
  aud: z.literal("nats-authorization-request"),
  exp: z.number().optional(),
  nats: z.object({
    server_id: z.object({ id: z.string() }),
    user_nkey: z.string(),
    client_info: z.object({ nonce: z.string().optional() }),
    connect_opts: z.object({ nkey: z.string().optional(), sig: z.string().optional() }),
  }),
});

type AuthRequest = z.infer<typeof requestSchema>;

/** What the service answers with. */
export interface CalloutParts {
  readonly roster: Roster;
  /** The account key whose signature the server trusts. */
  readonly issuer: SigningKey;
  /** Unix milliseconds. */
  readonly now: number;
  /** Longest time until a connection has to ask again, in milliseconds: what is revoked ends by then. */
  readonly renewMs: number;
}

/** The answer to a server, and whom it is about; a `fault` in words where the connection is refused. */
export interface CalloutAnswer {
  readonly jwt: string;
  readonly name: string | null;
  readonly fault: string | null;
}

/**
 * Answers a server that asks who a connection is: one that signed the server's nonce with a key of the roster speaks as
 * that name; every other is refused. Null for a text that no server signed: it gets no answer.
 */
export async function answerAuth(
  request: string,
  parts: CalloutParts,
): Promise<CalloutAnswer | null> {
  const asked = readRequest(request, parts.now);
  if (asked === null) return null;
  const { encodeAuthorizationResponse } = await import("@nats-io/jwt");
  const { user_nkey: user, server_id: server } = asked.nats;
  const found = findSpeaker(asked, parts);
  const data =
    typeof found === "string" ? { error: found } : { jwt: await userOf(found, user, parts) };
  const issuer = keyPairOf(parts.issuer);
  return {
    jwt: await encodeAuthorizationResponse(user, server.id, issuer, data, {}),
    name: typeof found === "string" ? null : found.name,
    fault: typeof found === "string" ? found : null,
  };
}

function readRequest(text: string, now: number): AuthRequest | null {
  const [head = "", claims = "", signature = "", ...more] = text.split(".");
  if (more.length > 0) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  const read = requestSchema.safeParse(value);
  if (!read.success || (read.data.exp ?? Number.POSITIVE_INFINITY) * 1000 < now) return null;
  const signed = Buffer.from(`${head}.${claims}`, "utf8");
  const ofServer = read.data.iss === read.data.nats.server_id.id && read.data.iss.startsWith("N");
  const sound = signatureMatches(read.data.iss, signed, Buffer.from(signature, "base64url"));
  return ofServer && sound ? read.data : null;
}

/** The credential of a connection, or why it has none. The words reach the server's log, not the connection. */
function findSpeaker({ nats }: AuthRequest, { roster, now }: CalloutParts): RosterEntry | string {
  const { nkey, sig } = nats.connect_opts;
  const { nonce } = nats.client_info;
  if (nkey === undefined || sig === undefined || nonce === undefined) return "no key was shown";
  const entry = roster.entries.findLast(({ publicKey }) => publicKey === nkey);
  if (entry === undefined) return "the key was not issued by this fleet";
  if (!counts(entry, now)) return "the credential was revoked or is over";
  const signature = Buffer.from(sig, "base64");
  if (signatureMatches(nkey, Buffer.from(nonce, "utf8"), signature)) return entry;
  return "the nonce was not signed by that key";
}

async function userOf(
  { name, role, expiresAt }: RosterEntry,
  user: string,
  { roster, issuer, now, renewMs }: CalloutParts,
): Promise<string> {
  const { encodeUser } = await import("@nats-io/jwt");
  const token = encodeToken(name);
  const rights = jwtRights(rightsOf(role, prefixOf(roster), token));
  const until = Math.min(expiresAt ?? Number.POSITIVE_INFINITY, now + renewMs);
  return encodeUser(token, user, keyPairOf(issuer), rights, {
    aud: ACCOUNT_NAMES[ACCOUNT_OF[role]],
    exp: Math.max(Math.floor(until / 1000), Math.floor(now / 1000) + 1),
  });
}
