import { encodeToken } from "../wire/token.ts";
import { accountsBlock, list } from "./accounts-block.ts";
import { listed, rightsOf } from "./rights.ts";
import { ACCOUNT_NAMES, ACCOUNT_OF, type AccountName } from "./roles.ts";
import { counts, prefixOf, type Roster, type RosterEntry } from "./roster.ts";

/** Writes the accounts of a server that knows its users by their keys. What is revoked or over is not written. */
export function nkeyAccounts(roster: Roster, now: number): string {
  const users = (account: AccountName): string => `
    users: [
${usersOf(roster, account, now)}
    ]`;
  return accountsBlock(prefixOf(roster), { fleet: users("fleet"), audit: users("audit") });
}

/** Writes the accounts of a server that asks a service who a connection is; the service alone has a key here. */
export function calloutAccounts(roster: Roster, issuer: string, service: string): string {
  const auth = `  ${ACCOUNT_NAMES.auth} {
    users: [ { nkey: ${service} } ]
  }
`;
  return `${accountsBlock(prefixOf(roster), { fleet: "", audit: "", more: auth })}
authorization {
  timeout: 5
  auth_callout { issuer: ${issuer}, account: ${ACCOUNT_NAMES.auth}, auth_users: [ ${service} ] }
}
`;
}

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
