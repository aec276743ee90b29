/** One allow rule a person's approval would leave behind. */
export interface GrantPattern {
  readonly surface: string;
  readonly pattern: string;
}

/** The grants a child suggests with its ask; never empty. */
export interface GrantSuggestion {
  readonly grants: readonly GrantPattern[];
}

/** How far a path-shaped grant reaches: the direction that was asked (`proven`), or both. */
export const GRANT_WIDTHS = ["proven", "family"] as const;

/** One of {@link GRANT_WIDTHS}. */
export type GrantWidth = (typeof GRANT_WIDTHS)[number];

/** Whose rules a grant adds to: those of the session that asked, or those of the session that serves others. */
export const STANDING_SCOPES = ["child_session", "serving_session"] as const;

/** One of {@link STANDING_SCOPES}. A session that both asks and serves keeps the two apart. */
export type StandingScope = (typeof STANDING_SCOPES)[number];

/** An allow rule that stands, with who gave it and until when. */
export interface Grant extends GrantPattern {
  readonly grantId: string;
  /** The ask whose approval left it behind. */
  readonly requestId: string;
  readonly width: GrantWidth;
  readonly scope: StandingScope;
  /** Name of the approver; null when the terminal names nobody. */
  readonly grantedBy: string | null;
  /** Epoch milliseconds. */
  readonly grantedAt: number;
  /** Epoch milliseconds; the grant matches nothing from then on. */
  readonly expiresAt: number;
  /** How often it turned an ask into an allow. */
  readonly uses: number;
}

const HAS_DIRECTIONS = /^(?:path|external_directory)(?:_read|_write)?$/;

/** Says whether grants are about paths, which can be read or written. */
export function hasDirections(grants: readonly GrantPattern[]): boolean {
  return grants.some(({ surface }) => HAS_DIRECTIONS.test(surface));
}
