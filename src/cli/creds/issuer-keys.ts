import { type FleetKeys, operatorJwt } from "../../access/jwt-accounts.ts";
import { mintSeed, type NkeyKind, readSeed, type SigningKey } from "../../access/keys.ts";
import { type Mode, ROLES, type Role } from "../../access/roles.ts";
import type { ServerKeys } from "../../access/server-file.ts";
import { CommandError } from "../failure.ts";

/** The keys of a fleet as they lie in the issuer's folder. */
export interface KeptKeys {
  /** Written once, by the operator's key; absent where the server takes no JWTs. */
  readonly operatorJwt?: string;
  /** Seeds by what they sign for. */
  readonly seeds: Readonly<Record<string, string>>;
}

/** Keys of a fleet, and the seed by which the service that is asked connects. */
export type IssuerKeys = ServerKeys & { readonly serviceSeed?: string };

const roleKey = (role: Role): string => `${role} role`;

/** Makes the keys of a new fleet; null where users are known by their own keys alone. */
export async function makeKeys(mode: Mode): Promise<KeptKeys | null> {
  if (mode === "nkeys") return null;
  if (mode === "callout") {
    return { seeds: { issuer: mintSeed("account"), service: mintSeed("user") } };
  }
  const seeds: Record<string, string> = { operator: mintSeed("operator") };
  for (const name of ["system", "fleet", "audit", ...ROLES.map(roleKey)]) {
    seeds[name] = mintSeed("account");
  }
  const read = (name: string, kind: NkeyKind): SigningKey =>
    keyOf(seeds, { name, kind, file: "the new keys" });
  const jwt = await operatorJwt({
    operator: read("operator", "operator"),
    system: read("system", "account"),
  });
  return { operatorJwt: jwt, seeds };
}

/**
 * Reads the keys of a fleet.
 *
 * @throws {@link CommandError} naming the key that is missing, never what stands in its place.
 */
export function readKeys(mode: Mode, text: string, file: string): IssuerKeys {
  if (mode === "nkeys") return { mode };
  const { operatorJwt: jwt, seeds } = keptIn(text, file);
  const key = (name: string, kind: NkeyKind): SigningKey => keyOf(seeds, { name, kind, file });
  if (mode === "callout") {
    const service = key("service", "user").publicKey;
    const serviceSeed = seeds["service"] ?? "";
    return { mode, issuer: key("issuer", "account"), service, serviceSeed };
  }
  if (jwt === undefined) throw broken(file, "the operator's JWT");
  const account = (name: string): SigningKey => key(name, "account");
  const keys: FleetKeys = {
    operator: key("operator", "operator"),
    system: account("system"),
    accounts: { fleet: account("fleet"), audit: account("audit") },
    roles: Object.fromEntries(
      ROLES.map((role) => [role, account(roleKey(role))]),
    ) as FleetKeys["roles"],
  };
  return { mode, keys, operatorJwt: jwt };
}

function keptIn(text: string, file: string): KeptKeys {
  try {
    const kept = JSON.parse(text) as Partial<KeptKeys> | null;
    if (typeof kept?.seeds === "object") return kept as KeptKeys;
  } catch {
    // Said below: what stands there may be a secret.
  }
  throw broken(file, "the keys of a fleet");
}

function keyOf(
  seeds: Readonly<Record<string, unknown>>,
  of: { readonly name: string; readonly kind: NkeyKind; readonly file: string },
): SigningKey {
  const seed = seeds[of.name];
  const key = typeof seed === "string" ? readSeed(seed) : null;
  if (key?.kind === of.kind) return key;
  throw broken(of.file, `the ${of.kind} key ${JSON.stringify(of.name)}`);
}

const broken = (file: string, what: string): CommandError =>
  new CommandError(`${file} does not hold ${what}; bring it back from a backup`);
