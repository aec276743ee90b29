import { encodeToken } from "../wire/token.ts";
import { ACCOUNT_NAMES } from "./callout.ts";
import { ACCOUNT_OF, type AccountName, acksOf, listed, recordsOf, rightsOf } from "./rights.ts";
import { counts, prefixOf, type Roster, type RosterEntry } from "./roster.ts";

/**
 * Writes the accounts of a server that knows its users by their keys. Sessions live in an account of their own,
 * which keeps no stream and lets out nothing but records; the audit account takes those in and lets out nothing but
 * the stream's acknowledgements. What is revoked or over is not written. Nobody can enter the system's account.
 */
export function nkeyAccounts(roster: Roster, now: number): string {
  const users = (account: AccountName): string => `
    users: [
${usersOf(roster, account, now)}
    ]`;
  return accounts(prefixOf(roster), { fleet: users("fleet"), audit: users("audit"), more: "" });
}

/** Writes the accounts of a server that asks a service who a connection is; the service alone has a key here. */
export function calloutAccounts(roster: Roster, issuer: string, service: string): string {
  const auth = `  ${ACCOUNT_NAMES.auth} {
    users: [ { nkey: ${service} } ]
  }
`;
  return `${accounts(prefixOf(roster), { fleet: "", audit: "", more: auth })}
authorization {
  timeout: 5
  auth_callout { issuer: ${issuer}, account: ${ACCOUNT_NAMES.auth}, auth_users: [ ${service} ] }
}
`;
}

function accounts(
  prefix: string,
  { fleet, audit, more }: { readonly fleet: string; readonly audit: string; readonly more: string },
): string {
  const records = quoted(recordsOf(prefix));
  const acks = quoted(acksOf(prefix));
  return `accounts {
  FLEET {${fleet}
    exports: [ { stream: ${records}, accounts: [AUDIT] } ]
    imports: [ { stream: { account: AUDIT, subject: ${acks} } } ]
  }
  AUDIT {
    jetstream: enabled${audit}
    exports: [ { stream: ${acks}, accounts: [FLEET] } ]
    imports: [ { stream: { account: FLEET, subject: ${records} } } ]
  }
${more}  SYS {}
}
system_account: SYS
`;
}

const quoted = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => `[${values.map(quoted).join(", ")}]`;

const rule = (subjects: readonly string[]): string => {
  const lists = Object.entries(listed(subjects)).map(([name, of]) => `${name}: ${list(of)}`);
  return `{ ${lists.join(", ")} }`;
};

function usersOf(roster: Roster, account: AccountName, now: number): string {
  return roster.entries
    .filter((entry) => ACCOUNT_OF[entry.role] === account && counts(entry, now))
    .map((entry) => userOf(entry, prefixOf(roster)))
    .join("\n");
}

function userOf({ name, role, publicKey }: RosterEntry, prefix: string): string {
  const token = encodeToken(name);
  const { publish, subscribe } = rightsOf(role, prefix, token);
  return `      # ${role} ${token}
      { nkey: ${publicKey}, permissions: {
          publish: ${rule(publish)}
          subscribe: ${rule(subscribe)}
        } }`;
}
