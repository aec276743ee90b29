import type { FleetKeys } from "../../access/jwt-accounts.ts";
import { operatorJwt } from "../../access/jwt-accounts.ts";
import { mintSeed, type NkeyKind, readSeed, type SigningKey } from "../../access/keys.ts";
import { ROLES, type Role } from "../../access/rights.ts";
import { CommandError } from "../failure.ts";

/** The keys of a fleet as they lie in the issuer's folder: seeds, and the operator's JWT. */
export interface KeptKeys {
  readonly operatorJwt: string;
  /** Seeds by what they sign for: `operator`, `system`, `fleet`, `audit` and the roles. */
  readonly seeds: Readonly<Record<string, string>>;
}

const roleKey = (role: Role): string => `${role} role`;

/** Makes the keys of a new fleet. */
export async function makeKeys(): Promise<KeptKeys> {
  const seeds: Record<string, string> = { operator: mintSeed("operator") };
  for (const name of ["system", "fleet", "audit", ...ROLES.map(roleKey)])
    seeds[name] = mintSeed("account");
  const read = (name: string, kind: NkeyKind): SigningKey =>
    keyOf(seeds, name, kind, "the new keys");
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
export function readKeys(text: string, file: string): FleetKeys & { readonly operatorJwt: string } {
  const { operatorJwt: jwt, seeds } = keptIn(text, file);
  const account = (name: string): SigningKey => keyOf(seeds, name, "account", file);
  return {
    operatorJwt: jwt,
    operator: keyOf(seeds, "operator", "operator", file),
    system: account("system"),
    accounts: { fleet: account("fleet"), audit: account("audit") },
    roles: Object.fromEntries(
      ROLES.map((role) => [role, account(roleKey(role))]),
    ) as FleetKeys["roles"],
  };
}

function keptIn(text: string, file: string): KeptKeys {
  try {
    const kept = JSON.parse(text) as Partial<KeptKeys> | null;
    if (typeof kept?.operatorJwt === "string" && typeof kept.seeds === "object") {
      return kept as KeptKeys;
    }
  } catch {
    // Said below: what stands there may be a secret.
  }
  throw new CommandError(`${file} does not hold the keys of a fleet; bring it back from a backup`);
}

function keyOf(
  seeds: Readonly<Record<string, unknown>>,
  name: string,
  kind: NkeyKind,
  file: string,
): SigningKey {
  const seed = seeds[name];
  const key = typeof seed === "string" ? readSeed(seed) : null;
  if (key?.kind === kind) return key;
  throw new CommandError(
    `${file} does not hold the ${kind} key ${JSON.stringify(name)}; bring it back from a backup`,
  );
}
