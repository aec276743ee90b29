import { z } from "zod";

/** Text of well-formed Unicode, possibly empty. No schema of this room takes any other text. */
export const text = z
  .string()
  .refine((value) => value.isWellFormed(), { error: "text with half a surrogate pair" });

/** Text that must say something: a required field that is empty is malformed. */
export const filledText = text.min(1);

/** Longest name of an ask or a grant, in UTF-16 units: it stands whole in the header of each record about it. */
export const MAX_ID_LENGTH = 1_024;

/** Names an ask or a grant. */
export const idText = filledText.max(MAX_ID_LENGTH);

/** A finite number; times are epoch milliseconds. */
export const finite = z.number();
