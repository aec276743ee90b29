import { acksOf, recordsOf } from "./rights.ts";

const quoted = (value: string): string => JSON.stringify(value);

/** A list of texts as a server's file holds it. */
export const list = (values: readonly string[]): string => `[${values.map(quoted).join(", ")}]`;

/**
 * Writes the accounts of a server's file. Sessions live in an account of their own, which keeps no stream and lets out
 * nothing but records; the audit account takes those in and lets out nothing but the stream's acknowledgements. Nobody
 * can enter the system's account.
 *
 * @param users - What stands in each account beside that, each line with its break before it; `more`: further accounts.
 */
export function accountsBlock(
  prefix: string,
  users: { readonly fleet: string; readonly audit: string; readonly more?: string },
): string {
  const records = quoted(recordsOf(prefix));
  const acks = quoted(acksOf(prefix));
  return `accounts {
  FLEET {${users.fleet}
    exports: [ { stream: ${records}, accounts: [AUDIT] } ]
    imports: [ { stream: { account: AUDIT, subject: ${acks} } } ]
  }
  AUDIT {
    jetstream: enabled${users.audit}
    exports: [ { stream: ${acks}, accounts: [FLEET] } ]
    imports: [ { stream: { account: FLEET, subject: ${records} } } ]
  }
${users.more ?? ""}  SYS {}
}
system_account: SYS
`;
}
