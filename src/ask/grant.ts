/** One allow rule a person's approval would leave behind. */
export interface GrantPattern {
  readonly surface: string;
  readonly pattern: string;
}

/** The grants a child suggests with its ask; never empty. */
export interface GrantSuggestion {
  readonly grants: readonly GrantPattern[];
}

/** How far a path-shaped grant reaches: the direction that was asked, or both. */
export type GrantWidth = "proven" | "family";

/** An allow rule that stands, with who gave it and until when. */
export interface Grant extends GrantPattern {
  readonly grantId: string;
  /** The ask whose approval left it behind. */
  readonly requestId: string;
  readonly width: GrantWidth;
  /** Name of the approver; null when the terminal names nobody. */
  readonly grantedBy: string | null;
  /** Epoch milliseconds. */
  readonly grantedAt: number;
  /** Epoch milliseconds; the grant matches nothing from then on. */
  readonly expiresAt: number;
  /** How often it turned an ask into an allow. */
  readonly uses: number;
}
