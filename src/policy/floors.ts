/** The facts do not say enough to allow: units or match values are missing, or there are too many. */
export const INCOMPLETE_FACTS = "<incomplete-facts>";

/** Most distinct units, other readings of units, or paths of one ask that are judged. */
export const MAX_JUDGED = 1000;

/** Most names one thing may be known by. */
export const MAX_ALIASES = 64;
