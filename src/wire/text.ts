import { z } from "zod";

/** Text of well-formed Unicode, possibly empty. No schema of this room takes any other text. */
export const text = z
  .string()
  .refine((value) => value.isWellFormed(), { error: "text with half a surrogate pair" });

/** Text that must say something: a required field that is empty is malformed. */
export const filledText = text.min(1);

/** A finite number; times are epoch milliseconds. */
export const finite = z.number();
