import { z } from "zod";
import { kindOfPublicKey } from "../wire/nkey.ts";
import { fleetPrefix } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import { ACCOUNT_OF, type AccountName, MODES, ROLES } from "./roles.ts";

const entrySchema = z.strictObject({
  name: z.string().min(1),
  role: z.enum(ROLES),
  publicKey: z.string().refine((key) => kindOfPublicKey(key) === "user"),
  /** Agent name this speaker may claim, none or one; rules of its parents that are scoped to it may then allow. */
  agents: z.array(z.string().min(1)).max(1),
  /** Unix milliseconds. */
  issuedAt: z.int().nonnegative(),
  /** Unix milliseconds; null: for good. */
  expiresAt: z.int().nonnegative().nullable(),
  revokedAt: z.int().nonnegative().nullable(),
});

/** One credential that was issued. No secret stands in it. */
export type RosterEntry = Readonly<z.infer<typeof entrySchema>>;

const rosterSchema = z.strictObject({
  version: z.literal(1),
  mode: z.enum(MODES),
  fleet: z.string().min(1),
  /** Where sessions reach the server. */
  url: z.string().min(1),
  entries: z.array(entrySchema),
});

/** Who may speak in a fleet. */
export type Roster = Readonly<Omit<z.infer<typeof rosterSchema>, "entries">> & {
  readonly entries: readonly RosterEntry[];
};

/** Why a roster would not take a change: a sentence with the way out. */
export class RosterError extends Error {
  override readonly name = "RosterError";
}

/** Reads a roster; what is wrong with it as text. */
export function parseRoster(text: string): Roster | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is no JSON";
  }
  const read = rosterSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not a roster"}`;
}

/** Agent names that a roster attests, by session. */
export function attestedAgents(roster: Roster, now: number): ReadonlyMap<string, string> {
  const attested = roster.entries.flatMap((entry): readonly (readonly [string, string])[] => {
    const [agent] = entry.agents;
    const isAttested = entry.role === "session" && agent !== undefined && counts(entry, now);
    return isAttested ? [[entry.name, agent]] : [];
  });
  return new Map(attested);
}

/** Prefix of the subjects of a fleet. */
export const prefixOf = ({ fleet }: Pick<Roster, "fleet">): string => fleetPrefix(fleet);

/** Says whether a credential counts at a time. */
export const counts = ({ revokedAt, expiresAt }: RosterEntry, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/**
 * Adds a credential. A name is one speaker for good: it has one role, and two names that would be one token are
 * refused.
 *
 * @throws {@link RosterError}.
 */
export function withEntry(roster: Roster, entry: RosterEntry): Roster {
  for (const { name, role } of roster.entries) {
    if (name === entry.name && role !== entry.role) {
      throw new RosterError(
        `${JSON.stringify(name)} is a ${role} and cannot be a ${entry.role} as well; choose another name`,
      );
    }
    if (name !== entry.name && encodeToken(name) === encodeToken(entry.name)) {
      throw new RosterError(`${JSON.stringify(entry.name)} would speak as ${JSON.stringify(name)}`);
    }
  }
  return { ...roster, entries: [...roster.entries, entry] };
}

/**
 * Revokes what a name was issued: all of it, or all but the newest.
 *
 * @throws {@link RosterError} when nothing of it counts.
 */
export function withoutName(
  roster: Roster,
  name: string,
  { now, onlyOld }: { readonly now: number; readonly onlyOld: boolean },
): Roster {
  const counting = roster.entries.filter((entry) => entry.name === name && counts(entry, now));
  const gone = new Set(onlyOld ? counting.slice(0, -1) : counting);
  if (gone.size > 0) {
    const entries = roster.entries.map((entry) =>
      gone.has(entry) ? { ...entry, revokedAt: now } : entry,
    );
    return { ...roster, entries };
  }
  throw new RosterError(
    onlyOld && counting.length > 0
      ? `${JSON.stringify(name)} has no older credential that still counts`
      : `${JSON.stringify(name)} has no credential that counts; "askfabric creds show" lists those that do`,
  );
}

/** Public keys that are revoked, with the second up to which what was issued to them counts no more. */
export type Revocations = Readonly<Record<AccountName, Readonly<Record<string, number>>>>;

/** The revocations of a roster, by account. */
export function revocationsOf(roster: Roster): Revocations {
  const of = (account: AccountName): Readonly<Record<string, number>> =>
    Object.fromEntries(
      roster.entries.flatMap(({ role, publicKey, revokedAt }) =>
        revokedAt === null || ACCOUNT_OF[role] !== account
          ? []
          : // A JWT of the same second counts as issued before.
            [[publicKey, Math.ceil(revokedAt / 1000)]],
      ),
    );
  return { fleet: of("fleet"), audit: of("audit") };
}
