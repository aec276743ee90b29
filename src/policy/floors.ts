/** The facts do not say enough to allow: units or match values are missing, or there are too many. */
export const INCOMPLETE_FACTS = "<incomplete-facts>";

/** Most distinct units or paths of one ask that are judged. */
export const MAX_JUDGED = 1000;
