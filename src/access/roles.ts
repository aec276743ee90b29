/** What a credential is for. One speaker has one role; an operator cannot be a session. */
export const ROLES = [
  "session",
  "observer",
  "operator",
  "freezer",
  "sink",
  "provisioner",
  "doctor",
] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Which account a role lives in: asks and records are kept apart. */
export type AccountName = "fleet" | "audit";

/** The account of a role. */
export const ACCOUNT_OF: Readonly<Record<Role, AccountName>> = {
  session: "fleet",
  observer: "fleet",
  operator: "fleet",
  freezer: "fleet",
  sink: "audit",
  provisioner: "audit",
  doctor: "fleet",
};

/** Names of the accounts at the server. */
export const ACCOUNT_NAMES = { fleet: "FLEET", audit: "AUDIT", auth: "AUTH" } as const;

/** How a server knows who speaks: keys in its file, JWTs it checks, or a service it asks. */
export const MODES = ["nkeys", "jwt", "callout"] as const;

/** One of {@link MODES}. */
export type Mode = (typeof MODES)[number];
