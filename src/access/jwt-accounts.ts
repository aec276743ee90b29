import type { Export, Import, SigningKey as ScopedKey } from "@nats-io/jwt";
import type { SigningKey } from "../wire/nkey.ts";
import { keyPairOf } from "./key-pair.ts";
import { acksOf, jwtRights, recordsOf, rightsOf } from "./rights.ts";
import { ACCOUNT_NAMES, ACCOUNT_OF, type AccountName, ROLES, type Role } from "./roles.ts";
import type { Revocations } from "./roster.ts";

/** Keys of a fleet whose server takes JWTs: each signs one thing. */
export interface FleetKeys {
  readonly operator: SigningKey;
  readonly system: SigningKey;
  readonly accounts: Readonly<Record<AccountName, SigningKey>>;
  /** One for each role: what it signs can have that role's rights and no other. */
  readonly roles: Readonly<Record<Role, SigningKey>>;
}

/** What a server that takes JWTs is set up with. */
export interface FleetJwts {
  /** Account JWTs by public key of the account. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly systemAccount: string;
}

/** Stands for the user's name where the rights of a role are written; no name has this token. */
const SELF = `=h${"-".repeat(43)}`;

/**
 * Writes the JWT of the operator. It is written once: a server takes another one only with a new start.
 */
export async function operatorJwt(keys: Pick<FleetKeys, "operator" | "system">): Promise<string> {
  const { encodeOperator } = await import("@nats-io/jwt");
  return encodeOperator("askfabric", keyPairOf(keys.operator), {
    system_account: keys.system.publicKey,
  });
}

/**
 * Writes the JWTs of the accounts. Every role has a signing key with that role's rights as its scope, so that
 * a user's own JWT holds a name and no rights.
 */
export async function fleetJwts(
  keys: FleetKeys,
  prefix: string,
  revoked: Revocations,
): Promise<FleetJwts> {
  const { encodeAccount } = await import("@nats-io/jwt");
  const operator = keyPairOf(keys.operator);
  const { fleet, audit } = keys.accounts;
  // The library writes into what it is given: each call gets its own.
  const signer = { signer: operator };
  const own = (name: AccountName): readonly ScopedKey[] =>
    ROLES.filter((role) => ACCOUNT_OF[role] === name).map((role) => scopeOf(keys, prefix, role));
  const limits = { ...UNLIMITED, exports: -1, imports: -1 };
  const passed = await Promise.all([
    encodeAccount("SYS", keyPairOf(keys.system), { limits }, { ...signer }),
    encodeAccount(
      ACCOUNT_NAMES.fleet,
      keyPairOf(fleet),
      {
        limits: { ...limits, ...NO_STREAMS },
        signing_keys: [...own("fleet")],
        revocations: revoked.fleet,
        exports: [exported("records", recordsOf(prefix))],
        imports: [imported("acknowledgements", acksOf(prefix), audit.publicKey)],
      },
      { ...signer },
    ),
    encodeAccount(
      ACCOUNT_NAMES.audit,
      keyPairOf(audit),
      {
        limits: { ...limits, ...STREAMS },
        signing_keys: [...own("audit")],
        revocations: revoked.audit,
        exports: [exported("acknowledgements", acksOf(prefix))],
        imports: [imported("records", recordsOf(prefix), fleet.publicKey)],
      },
      { ...signer },
    ),
  ]);
  const [system, fleetJwt, auditJwt] = passed;
  return {
    systemAccount: keys.system.publicKey,
    accounts: {
      [keys.system.publicKey]: system,
      [fleet.publicKey]: fleetJwt,
      [audit.publicKey]: auditJwt,
    },
  };
}

/** Writes the JWT of one user: a name as a token, the role by whose key it is signed, and when it ends. */
export async function userJwt(
  keys: FleetKeys,
  user: {
    readonly token: string;
    readonly role: Role;
    readonly publicKey: string;
    /** Unix seconds; null for never. */
    readonly expiresAt: number | null;
  },
): Promise<string> {
  const { encodeUser, fromPublic } = await import("@nats-io/jwt");
  const account = keys.accounts[ACCOUNT_OF[user.role]];
  return encodeUser(
    user.token,
    fromPublic(user.publicKey),
    keyPairOf(account),
    {},
    {
      scopedUser: true,
      signer: keyPairOf(keys.roles[user.role]),
      ...(user.expiresAt === null ? {} : { exp: user.expiresAt }),
    },
  );
}

const UNLIMITED = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, wildcards: true };
const NO_STREAMS = { mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 };
const STREAMS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

const exported = (name: string, subject: string): Export => ({ name, subject, type: "stream" });

const imported = (name: string, subject: string, account: string): Import => ({
  name,
  subject,
  type: "stream",
  account,
});

function scopeOf(keys: FleetKeys, prefix: string, role: Role): ScopedKey {
  const { publish, subscribe } = rightsOf(role, prefix, SELF);
  const templated = (subjects: readonly string[]): string[] =>
    subjects.map((subject) => subject.replaceAll(SELF, "{{name()}}"));
  return {
    kind: "user_scope",
    key: keys.roles[role].publicKey,
    role,
    template: jwtRights({ publish: templated(publish), subscribe: templated(subscribe) }),
  };
}
